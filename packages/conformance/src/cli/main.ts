import { PHASES } from '../engine/rule.ts'
import { readPackage } from '../package.ts'
import { profile } from '../profiles/index.ts'
import { COULD_NOT_RUN } from '../report/exit-codes.ts'
import { runCheck } from './check.ts'
import { refuse, sentenceOf } from './errors.ts'
import { type Flags, helpText, readFlags, requireFlags } from './flags.ts'
import { runHar } from './har.ts'
import { keepHeapSmall, log } from './process.ts'

const COMMANDS: Readonly<
  Record<'check' | 'har', (word: string | undefined, flags: Flags) => Promise<number>>
> = { check: runCheck, har: runHar }

/**
 * Runs the command line and returns the exit code. Never rejects.
 *
 * @param options.name the command as the user typed it, which help and advice repeat
 */
export async function main(
  args: readonly string[],
  { name = 'partner-payments check' }: { readonly name?: string } = {},
): Promise<number> {
  keepHeapSmall()
  try {
    const { flags, words } = readFlags(args, name)
    return await dispatch(flags, words)
  } catch (error) {
    log(sentenceOf(error))
    return COULD_NOT_RUN
  }
}

async function dispatch(flags: Flags, [command = 'check', ...words]: readonly string[]): Promise<number> {
  const printed = printedFor(flags)
  if (printed !== undefined) {
    process.stdout.write(printed)
    return 0
  }
  if (!isCommand(command)) return refuse(`there is no command "${command}"; see --help`)
  if (words.length > 1) return refuse(`${command} takes one argument, got "${words.join(' ')}"`)
  requireFlags(command, flags)
  return COMMANDS[command](words[0], flags)
}

function isCommand(word: string): word is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, word)
}

/** Output that needs no service. */
function printedFor(flags: Flags): string | undefined {
  if (flags.has('help')) return helpText(flags.program)
  if (flags.has('version')) return `${readPackage().version}\n`
  if (!flags.has('list-rules')) return undefined
  requireFlags('rules', flags)
  return flags.has('json') ? rulesAsJson() : rulesAsText()
}

function rulesAsJson(): string {
  return profile.rules
    .map(({ id, phase, title, cites }) => `${JSON.stringify({ id, phase, title, cites })}\n`)
    .join('')
}

function rulesAsText(): string {
  const width = Math.max(...profile.rules.map(({ id }) => id.length))
  const phases = PHASES.map((phase) => {
    const rules = profile.rules.filter((it) => it.phase === phase)
    return [phase, ...rules.map(({ id, title }) => `  ${id.padEnd(width)}  ${title}`)].join('\n')
  })
  return `${phases.join('\n\n')}\n`
}
