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
export function readArguments<Config extends ParseArgsConfig, Options>(
  help: Help,
  config: Config,
  toOptions: (given: ReturnType<typeof parseArgs<Config>>) => Options,
): Options {
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
  const flagRows = Object.entries({ ...flags, '--help': 'print this' })
  const width = Math.max(...flagRows.map(([flag]) => flag.length))
  const flagLines = flagRows.map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}`)
  const exampleLines = examples.map((args) => `  ${command} ${args}`.trimEnd())
  return `Usage: ${`${command} ${usage}`.trim()}

${about}

${flagLines.join('\n')}

Examples:
${exampleLines.join('\n')}

Exit codes: ${exitCodes}.
`
}
