export { findHints } from './hints/find-hints.ts'
export type { Hint, HintFault } from './hints/hint.ts'
export { readableObjects } from './readable-objects.ts'
export type { BrObject } from './tlv.ts'
