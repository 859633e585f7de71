export { serveDocs } from './dev.ts'
export { buildSite, readBuilt, writePages } from './site.ts'
