export { serveDocs } from './dev.ts'
export { buildSite, writePages } from './site.ts'
