export type { DeclaredBehaviour, TokenKind } from './behaviour.ts'
export { withoutCommands } from './commands.ts'
export { type Contract, type ContractSources, readContract } from './contract.ts'
export {
  type Deprecation,
  deprecationHeaders,
  deprecationOf,
  deprecationText,
} from './deprecation.ts'
export {
  ABOUT_PATHS,
  type AboutResponse,
  type Disposable,
  findObjection,
  type Get,
  isOnThisMachine,
  readNonce,
  SERVICES,
} from './disposable.ts'
export { branchesOf, resolve, schemasAt } from './document.ts'
export { describeFindings } from './findings.ts'
export {
  endOfString,
  fieldsOf,
  isObject,
  isTooDeep,
  type Json,
  leavesOf,
  parsedJson,
  repeatsAnyField,
  repeatsField,
  stringAt,
  timeAt,
  withValue,
} from './json.ts'
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
} from './operation.ts'
export { decoded } from './percent-encoding.ts'
export { pointerOf, stepsOf, valueAt } from './pointer.ts'
export { messageOf, visible } from './safe-text.ts'
export { hasSecretWord, isSecretName, withoutPairs, withoutPrefixed } from './secrets.ts'
export { expected, expectedOneOf, expectedTypes, kindOf, quoted, typeOf } from './value-words.ts'
