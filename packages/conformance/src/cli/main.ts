import { ContractError } from '@partner-payments/validator'
import { CannotRun } from '../model/errors.ts'
import { BaselineError } from '../report/baseline.ts'
import { COULD_NOT_RUN } from '../report/summary.ts'
import { requireNode } from '../transport/node.ts'
import { type Flags, readFlags, requireFlags } from './flags.ts'
import { runHar } from './har.ts'
import { help } from './help.ts'
import { tell } from './print.ts'
import { runProof } from './prove.ts'
import { replay } from './replay.ts'
import { listRules } from './rules.ts'
import { runCheck } from './run.ts'
import { FileError, refuse, UsageError } from './usage.ts'
import { version } from './version.ts'

/** Does what the command line says. Returns the exit code, and never rejects. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    requireNode()
    const { flags, words, given } = readFlags(args)
    return await dispatch(flags, words, given)
  } catch (error) {
    tell(reasonOf(error))
    return COULD_NOT_RUN
  }
}

async function dispatch(
  flags: Flags,
  [command, ...words]: readonly string[],
  given: readonly string[],
): Promise<number> {
  const printed = printedFor(flags, given)
  if (printed !== undefined) {
    process.stdout.write(printed)
    return 0
  }
  if (command === undefined) {
    requireFlags('a check', given)
    return runCheck(flags)
  }
  if (!isCommand(command)) return refuse(`there is no command "${command}"; see --help`)
  if (words.length > 1) return refuse(`${command} takes one word, got "${words.join(' ')}"`)
  requireFlags(command, given)
  return COMMANDS[command](words[0], flags)
}

/** What is asked for that needs no service. */
function printedFor(flags: Flags, given: readonly string[]): string | undefined {
  if (flags.help) return help
  if (flags.version) return `${version()}\n`
  if (!flags['list-rules']) return undefined
  requireFlags('--list-rules', given)
  return listRules(flags.json)
}

/** What a word before the flags means. */
const COMMANDS = { replay, har: runHar, prove: runProof } satisfies Readonly<
  Record<string, (word: string | undefined, flags: Flags) => Promise<number>>
>

function isCommand(word: string): word is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, word)
}

/** One sentence and what to do; never a stack. */
function reasonOf(error: unknown): string {
  if (error instanceof UsageError) return `Wrong flags: ${error.message}.`
  if (error instanceof FileError) return `A file cannot be used: ${error.message}.`
  if (error instanceof BaselineError) return `The baseline cannot be used: ${error.message}.`
  if (error instanceof ContractError)
    return `The contract cannot be read: ${error.message}. It must be OpenAPI 3.1 in one file.`
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CannotRun) return `The check could not run: ${sentence(message)}${adviceOf(message)}`
  return `The check ended with a fault of its own: ${message.split('\n', 1)[0]}. Report it with the flags that were given.`
}

function adviceOf(message: string): string {
  return message.includes('cannot be reached') ? ' Is it running, and is --target right?' : ''
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
