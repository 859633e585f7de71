export { findHints, type Hint, type HintFault } from './find-hints.ts'
export { readableObjects } from './readable-objects.ts'
export type { BrObject } from './tlv.ts'
