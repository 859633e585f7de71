import { readFileSync } from 'node:fs'
import {
  type Arguments,
  type CommandTable,
  handleOutputErrors,
  type Options,
  readArguments,
} from '@partner-payments/command'
import { Command, CommanderError } from 'commander'
import { CliError } from './errors.ts'
import { DECODE, LISTEN, MCP, TRIGGER } from './tables.ts'
import { report } from './terminal.ts'

const NAME = 'partner-payments'

/** What a name after `partner-payments` runs. Its code is loaded only then. */
interface Subcommand {
  readonly about: string
  /** Returns the exit code. */
  run(args: readonly string[], name: string): Promise<number>
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  mock: createProgram(
    'Runs a stateless mock (port 4010).',
    () => import('@partner-payments/mock/main'),
  ),
  sandbox: createProgram(
    'Runs a stateful sandbox with a page (port 4020).',
    () => import('@partner-payments/sandbox/main'),
  ),
  check: createProgram(
    'Checks whether a running service conforms to the contract.',
    () => import('@partner-payments/conformance/main'),
  ),
  listen: createCommand(LISTEN, async ({ values }) => {
    const { listenCommand } = await import('./listen.ts')
    await listenCommand(values)
  }),
  trigger: createCommand(TRIGGER, async ({ values, operands: [event = ''] }) => {
    const { triggerCommand } = await import('./trigger.ts')
    await triggerCommand(event, values)
  }),
  mcp: createCommand(MCP, async ({ values }) => {
    const { mcpCommand } = await import('./mcp/server.ts')
    await mcpCommand(values, readVersion())
  }),
  decode: createCommand(DECODE, async ({ values, operands }) => {
    const { decodeCommand } = await import('./decode.ts')
    await decodeCommand(operands, values)
  }),
}

/** A command of another package, which reads its own arguments. */
interface Program {
  main(args: readonly string[], options: { readonly name: string }): Promise<number>
}

/**
 * The subcommand of a package with its own command line, such as `sandbox`. The package is loaded
 * when the command runs.
 */
function createProgram(about: string, load: () => Promise<Program>): Subcommand {
  return {
    about,
    async run(args, name) {
      const { main: runProgram } = await load()
      return runProgram(args, { name })
    },
  }
}

/** A subcommand of this package: reads its arguments by a table, and then runs `work`. */
function createCommand<Table extends Options>(
  table: CommandTable<Table>,
  work: (settings: Arguments<Table>) => Promise<void>,
): Subcommand {
  return {
    about: table.about,
    async run(args, name) {
      const settings = readArguments(table, args, { name, toSettings: (given) => given })
      // An exit code: it has printed the help, or what is wrong.
      if (typeof settings === 'number') return settings

      await work(settings)
      return 0
    },
  }
}

/**
 * Runs one command. Returns the exit code: 0 done, 1 it failed, 2 the arguments are invalid, or the
 * code of the command.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = withoutHelp(args)
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  // No name, an option such as --help, or an unknown name.
  if (!subcommand) return printOverview(args)

  try {
    return await subcommand.run(rest, `${NAME} ${name}`)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    report(error.message)
    return error.exitCode
  }
}

/** `help listen` is `listen --help`. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, name] = args
  const isHelp = first === 'help' && name !== undefined
  return isHelp ? [name, '--help'] : args
}

/** Prints the help or the version, or that there is no such command. */
function printOverview(args: readonly string[]): number {
  handleOutputErrors()
  const program = new Command(NAME)
    .description('Runs, checks and tries the partner payments service.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .configureHelp({ helpWidth: 120 })
    .exitOverride()
    .showHelpAfterError(`Run \`${NAME} --help\` for the commands.`)
    .addHelpText('after', END_OF_HELP)
  for (const [name, { about }] of Object.entries(SUBCOMMANDS))
    program.command(name).usage('[options]').description(about)
  try {
    program.parse(args, { from: 'user' })
    return 0
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : 2
  }
}

const END_OF_HELP = `
Examples:
  ${NAME} sandbox --memory
  ${NAME} check --target http://127.0.0.1:4020 --kind sandbox

\`${NAME} check --help\` lists the options of a command.

Exit codes: 0 done, 1 failed, 2 wrong arguments, an old Node, or output that cannot be written; check has its own.`

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(text).version
}
