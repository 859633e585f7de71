export { buildDocs } from './buildDocs.ts'
export { serveDocs } from './serve.ts'
