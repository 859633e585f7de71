export { wordsOf } from './cases.ts'
export type { Json } from './json.ts'
export { createSchemas, type Schemas } from './schemas.ts'
