export { decoded } from './decoded.ts'
export { expected, expectedOneOf, expectedTypes, kindOf, quoted, typeOf } from './expected.ts'
export { pointerOf, stepsOf, valueAt } from './pointer.ts'
export { messageOf, visible } from './visible.ts'
