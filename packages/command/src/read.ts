import { visible } from '@partner-payments/contract'
import { Command, CommanderError, Option as Flag, InvalidArgumentError } from 'commander'
import type { CommandTable, Option, Options, Values } from './option.ts'
import { handleOutputErrors } from './output.ts'
import { describeOption, flagText } from './rows.ts'

/** The arguments of a command. */
export interface Arguments<Table extends Options> {
  readonly values: Values<Table>
  readonly operands: readonly string[]
  /** The options as they were given, in their order: not those of the environment. */
  readonly given: readonly GivenOption[]
}

export interface GivenOption {
  /** Such as `port`, for `--port`. */
  readonly name: string
  /** Undefined for a switch. */
  readonly text: string | undefined
}

export interface ReadOptions<Table extends Options, Settings> {
  /** The command as the user typed it, which help and advice repeat. */
  readonly name: string
  /** Default: there is no `--version`. */
  readonly version?: string
  /** Turns the arguments into settings. Throws an error if they do not go together. */
  readonly toSettings: (given: Arguments<Table>) => Settings
}

/** The exit code of wrong arguments. */
const WRONG_ARGUMENTS = 2

/**
 * Reads the arguments of a command by its table. If they are wrong or ask for the help or the
 * version, it prints that. Also calls {@link handleOutputErrors}.
 *
 * @returns the settings; the exit code, a number, if it has printed something
 * @example
 * const settings = readArguments(MOCK, process.argv.slice(2), { name: 'mock', toSettings })
 * if (typeof settings === 'number') return settings
 */
export function readArguments<const Table extends Options, Settings extends object>(
  table: CommandTable<Table>,
  args: readonly string[],
  { name, version, toSettings }: ReadOptions<Table, Settings>,
): Settings | number {
  handleOutputErrors()
  const command = createCommand(table, name)
  if (version !== undefined)
    command.optionsGroup('Options:').version(version, '-V, --version', 'print the version')
  const givenOptions = noteGivenOptions(command, table.options)
  try {
    command.parse(args, { from: 'user' })
    // The types of the values follow from the same table as the values.
    const values = command.opts() as Values<Table>
    return toSettings({ values, operands: command.args, given: givenOptions })
  } catch (error) {
    if (error instanceof CommanderError) return toExitCode(error)
    return printError(command, readMessage(error))
  }
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Commander has printed what there is to say. */
function toExitCode({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : WRONG_ARGUMENTS
}

/** Prints what is wrong, as commander prints its own errors; returns the exit code. */
function printError(command: Command, message: string): number {
  try {
    // Prints it, and then throws in place of ending the process.
    return command.error(`error: ${message}`)
  } catch {
    return WRONG_ARGUMENTS
  }
}

/** A command that throws a CommanderError, instead of ending the process. */
function createCommand(table: CommandTable, name: string): Command {
  const command = new Command(name)
    .description(table.about)
    .exitOverride()
    .configureHelp({ helpWidth: 120, optionDescription: ({ description }) => description })
    .configureOutput({ outputError: (text, write) => write(visible(text, '\n')) })
    .showHelpAfterError(`Run \`${name} --help\` for the options.`)
    .helpOption('-h, --help', 'print this')
    .addHelpText('after', () => endOfHelp(table, name))
  const { operands, takesAnyOption = false } = table
  command.allowUnknownOption(takesAnyOption)
  if (operands) command.argument(operands.usage, operands.help)
  for (const [optionName, option] of Object.entries(table.options)) {
    if (option.group !== undefined) command.optionsGroup(`${option.group}:`)
    command.addOption(createFlag(optionName, option))
  }
  return command
}

/**
 * The option of commander for an option of a table, with its choices, default, environment variable
 * and conflicts.
 */
function createFlag(name: string, option: Option): Flag {
  const { choices, read, excludes = [], variable } = option
  const flag = new Flag(flagText(name, option), describeOption(option))
  if (option.default !== undefined) flag.default(option.default)
  if (variable !== undefined) flag.env(variable)
  if (choices) flag.choices(choices)
  if (read) flag.argParser((text, earlier) => readValue(read, text, earlier))
  return flag.conflicts([...excludes])
}

/**
 * The value of an option, from its text. An error of the reader becomes one of commander, which
 * prints it with the name of the option.
 *
 * @param earlier The value so far, if the option was given before.
 */
function readValue(read: NonNullable<Option['read']>, text: string, earlier: unknown): unknown {
  try {
    // What a reader returned before has its own type.
    return read(text, earlier as never)
  } catch (error) {
    throw new InvalidArgumentError(readMessage(error))
  }
}

/**
 * Returns an empty list, which gets the options of the user while the arguments are parsed later,
 * such as `{ name: 'port', text: '4010' }`.
 */
function noteGivenOptions(command: Command, options: Options): readonly GivenOption[] {
  const givenOptions: GivenOption[] = []
  for (const name of Object.keys(options))
    command.on(`option:${name}`, (text?: string) => givenOptions.push({ name, text }))
  return givenOptions
}

/** What the help has after the options: examples, notes and exit codes. */
function endOfHelp({ examples, notes, exitCodes }: CommandTable, name: string): string {
  const lines = examples.map((example) => `  ${name} ${example}`.trimEnd())
  const paragraphs = [`Examples:\n${lines.join('\n')}`]
  if (notes !== undefined) paragraphs.push(notes)
  paragraphs.push(`Exit codes: ${exitCodes}.`)
  return `\n${paragraphs.join('\n\n')}`
}
