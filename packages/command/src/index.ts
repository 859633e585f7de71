export type { CommandTable, Option, Options, Values } from './option.ts'
export { type Arguments, type GivenOption, readArguments } from './read.ts'
export { describeOption, optionsTable, valueName } from './rows.ts'
export { readEach, readInteger, readList, readPort } from './values.ts'
