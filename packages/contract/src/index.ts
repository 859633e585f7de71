export { withoutCommands } from './commands.ts'
export { decoded } from './decoded.ts'
export { expected, expectedOneOf, expectedTypes, kindOf, quoted, typeOf } from './expected.ts'
export {
  endOfString,
  fieldsOf,
  hasRepeatedField,
  isObject,
  type Json,
  leavesOf,
  parsedJson,
  stringAt,
  timeAt,
  withValue,
} from './json.ts'
export { pointerOf, stepsOf, valueAt } from './pointer.ts'
export { messageOf, visible } from './visible.ts'
