export type { Case } from './cases.ts'
export { EXAMPLE } from './edges.ts'
export type { Json } from './json.ts'
export { createSchemas, type Schemas } from './schemas.ts'
