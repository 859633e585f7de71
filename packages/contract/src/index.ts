export { type Contract, type ContractSources, readContract } from './contract.ts'
export {
  endOfString,
  fieldsOf,
  isObject,
  isTooDeep,
  type Json,
  parsedJson,
  stringAt,
  timeAt,
  withValue,
} from './json/json.ts'
export { leavesOf } from './json/leaves.ts'
export { pointerOf, stepsOf, valueAt } from './json/pointer.ts'
export { repeatsAnyField, repeatsField } from './json/repeated-fields.ts'
export {
  ASSUMED,
  joinMarks,
  keywordMark,
  MARK,
  type Mark,
  marksOf,
  questionOf,
  wholeMark,
} from './marks.ts'
export {
  ABOUT_PATHS,
  type AboutResponse,
  type Disposable,
  findObjection,
  type Get,
  isOnThisMachine,
  readNonce,
  SERVICES,
} from './safety/disposable.ts'
export { hasSecretWord, isSecretName, withoutPairs, withoutPrefixed } from './safety/secrets.ts'
export type { DeclaredBehaviour, TokenKind } from './table/behaviour.ts'
export {
  type Deprecation,
  deprecationHeaders,
  deprecationOf,
  deprecationText,
} from './table/deprecation.ts'
export { branchesOf, resolve, schemasAt } from './table/document.ts'
export type {
  Body,
  Declared,
  Event,
  Example,
  Link,
  Operation,
  Origin,
  OriginValue,
  Parameter,
  RecordPlace,
  Response,
} from './table/operation.ts'
export { withoutCommands } from './text/commands.ts'
export { describeFindings } from './text/findings.ts'
export { decoded } from './text/percent-encoding.ts'
export { messageOf, visible } from './text/safe-text.ts'
export {
  expected,
  expectedOneOf,
  expectedTypes,
  kindOf,
  quoted,
  typeOf,
} from './text/value-words.ts'
export { parseTime } from './time.ts'
