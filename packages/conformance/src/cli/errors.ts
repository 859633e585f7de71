import { ContractError } from '@partner-payments/validator'
import { BaselineError } from '../report/baseline.ts'
import { CannotRun } from '../send/errors.ts'

/** Invalid arguments. The message says which, and what was expected. */
class UsageError extends Error {}

/** A file that cannot be read, parsed or written. The message says why. */
class FileError extends Error {}

/** @throws {UsageError} always. */
export function refuse(message: string): never {
  throw new UsageError(message)
}

/** @throws {FileError} always. */
export function refuseFile(message: string): never {
  throw new FileError(message)
}

const WORDS: readonly (readonly [new (...args: never[]) => Error, (message: string) => string])[] = [
  [UsageError, (it) => `Wrong arguments: ${it}.`],
  [FileError, (it) => `A file cannot be used: ${it}.`],
  [BaselineError, (it) => `The baseline cannot be used: ${it}.`],
  [ContractError, (it) => `The contract cannot be read: ${it}.${adviceOn(it)}`],
  [CannotRun, (it) => `The check could not run: ${/[.?!]$/.test(it) ? it : `${it}.`}${adviceOn(it)}`],
]

/** One sentence with advice, without a stack trace. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [, words] = WORDS.find(([kind]) => error instanceof kind) ?? []
  if (words) return words(message)
  return `The checker itself failed: ${message.split('\n', 1)[0]}. Report it with the options that were given.`
}

function adviceOn(message: string): string {
  if (message.includes('cannot be reached')) return ' Is it running, and is --target right?'
  return /must be 3\.1|must refer to/.test(message) ? ' It must be OpenAPI 3.1 in one file.' : ''
}
