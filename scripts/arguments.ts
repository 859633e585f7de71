import { type ParseArgsConfig, parseArgs } from 'node:util'

/** What `--help` of a command of this repository prints. */
export interface Help {
  readonly name: string
  /** One sentence. */
  readonly about: string
  /** What follows the name, such as `[id …] [--record]`. */
  readonly usage: string
  readonly flags?: Readonly<Record<string, string>>
  /** The arguments of commands that a reader can run as they stand. */
  readonly examples: readonly [string, string]
  readonly exitCodes: string
}

/**
 * Reads the arguments of the process. Ends it with 0 after `--help`, and with 2 if an argument is
 * wrong.
 *
 * @param toOptions what to make of them; throws an error that says what is wrong
 */
export function readArguments<C extends ParseArgsConfig, T>(
  help: Help,
  config: C,
  toOptions: (given: ReturnType<typeof parseArgs<C>>) => T,
): T {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(helpOf(help))
    process.exit(0)
  }
  try {
    return toOptions(parseArgs(config))
  } catch (error) {
    // Node's advice on arguments that begin with a hyphen is longer than its message.
    const [message] = (error as Error).message.split('. To specify a positional', 1)
    process.stderr.write(`${help.name}: ${message}\n\n${helpOf(help)}`)
    process.exit(2)
  }
}

function helpOf({ name, about, usage, flags = {}, examples, exitCodes }: Help): string {
  const command = `npx -y pnpm@12 ${name}`
  const rows = Object.entries({ ...flags, '--help': 'print this' })
  const width = Math.max(...rows.map(([flag]) => flag.length))
  return `Usage: ${`${command} ${usage}`.trim()}

${about}

${rows.map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}\n`).join('')}
Examples:
${examples.map((it) => `  ${`${command} ${it}`.trim()}\n`).join('')}
Exit codes: ${exitCodes}.
`
}
