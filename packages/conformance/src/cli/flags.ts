import { parseArgs } from 'node:util'
import { CHECK_OPTIONS, type Command, type Flag } from '../engine/option-table.ts'
import { GATES } from '../report/coverage.ts'
import { refuse } from './errors.ts'
import { FORMATS } from './reports.ts'

const OUTCOMES = ['check', 'har'] as const
const ALL = ['check', 'har', 'rules'] as const

/** Flags that do not set an option of the run. */
const COMMAND_FLAGS = [
  {
    name: 'spec',
    value: 'FILE',
    help: 'a changed copy of the contract, bundled, JSON or YAML',
    default: 'the partner payments contract',
    commands: OUTCOMES,
  },
  { name: 'client-key', value: 'KEY', help: 'or CLIENT_KEY in the environment' },
  {
    name: 'client-secret',
    value: 'SECRET',
    help: 'or, better, CLIENT_SECRET in the environment',
  },
  { name: 'other-key', value: 'KEY', help: 'of a second partner, or OTHER_KEY' },
  {
    name: 'other-secret',
    value: 'SECRET',
    help: 'of a second partner, or, better, OTHER_SECRET',
  },
  {
    name: 'fail-on',
    value: 'LEVEL',
    help: 'critical, failure or deviation: what fails the run, with all that is more severe',
    default: 'failure',
    commands: OUTCOMES,
  },
  { name: 'strict', help: 'the same as --fail-on deviation', commands: OUTCOMES },
  {
    name: 'baseline',
    value: 'FILE',
    help: 'known findings, which are accepted until their day',
    commands: OUTCOMES,
  },
  {
    name: 'write-baseline',
    value: 'FILE',
    help: 'write a baseline of what was found; needs --until',
    commands: OUTCOMES,
  },
  {
    name: 'until',
    value: 'DATE',
    help: 'the last day of --write-baseline, such as 2027-01-31',
    commands: OUTCOMES,
  },
  {
    name: 'min-coverage',
    value: 'N%',
    isList: true,
    help: `of everything, or by name: operations=100%,rows=60% (${GATES.join(', ')})`,
    commands: OUTCOMES,
  },
  {
    name: 'report',
    value: 'FORMAT=FILE,...',
    isList: true,
    help: `write reports: ${FORMATS.join(', ')}`,
    commands: OUTCOMES,
  },
  {
    name: 'docs',
    value: 'URL',
    help: 'address of the docs, to which reports link',
    default: 'no links',
    commands: OUTCOMES,
  },
  { name: 'json', help: 'print the result as JSON', commands: ALL },
  { name: 'verbose', help: 'print every finding and every rule, not one screen', commands: OUTCOMES },
  { name: 'list-rules', help: 'print the rules by phase', commands: ['rules'] },
  { name: 'help', help: 'print this', commands: ALL },
  { name: 'version', help: 'print the version', commands: ALL },
] as const satisfies readonly Flag[]

/** All flags, in the order of the help. */
export const FLAGS: readonly Flag[] = [
  ...Object.values(CHECK_OPTIONS).flatMap(({ flag }) => flag ?? []),
  ...COMMAND_FLAGS,
]

type CommandFlag = (typeof COMMAND_FLAGS)[number]['name']

/** The parsed flags. */
export interface Flags {
  /** The name of the command, as the user typed it. */
  readonly program: string
  /** Names in order, with repetitions. */
  readonly given: readonly string[]
  has(name: CommandFlag): boolean
  text(name: CommandFlag): string | undefined
  /** The value of any flag: a string, or the items of a list. */
  value(name: string): string | readonly string[] | undefined
}

/**
 * Parses the command line into flags and positional arguments.
 *
 * @throws {UsageError} if a flag is unknown, or lacks its value.
 */
export function readFlags(
  args: readonly string[],
  program: string,
): { flags: Flags; words: readonly string[] } {
  const { values, positionals, tokens } = parse(args)
  const flags: Flags = {
    program,
    given: tokens.flatMap((it) => (it.kind === 'option' ? [it.name] : [])),
    has: (name) => values[name] === true,
    text: (name) => values[name] as string | undefined,
    value: (name) => {
      const value = values[name]
      return Array.isArray(value) ? itemsOf(name, value.map(String)) : (value as string | undefined)
    },
  }
  return { flags, words: positionals }
}

function parse(args: readonly string[]) {
  const options = Object.fromEntries(
    FLAGS.map(({ name, value, isList = false }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: isList },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true })
  } catch (error) {
    // Node's advice on arguments that begin with a hyphen is longer than its message.
    const [message] = (error as Error).message.split('. To specify a positional', 1)
    return refuse(`${message}; see --help`)
  }
}

/** An empty list, for example from an unset variable, would disable a gate silently. */
function itemsOf(name: string, given: readonly string[]): readonly string[] {
  // A value may contain commas.
  const items = name === 'set' ? given : given.flatMap((it) => it.split(','))
  const named = items.map((it) => it.trim()).filter((it) => it !== '')
  return named.length > 0 ? named : refuse(`--${name} needs at least one item`)
}

/**
 * Rejects flags that have no effect on the command, such as a gate that would never fail.
 *
 * @throws {UsageError} with the first of them
 */
export function requireFlags(command: Command, { given }: Flags): void {
  const known = flagsOf(command)
  const unknown = given.find((it) => !known.includes(it))
  const name = command === 'check' ? 'a check' : command === 'rules' ? '--list-rules' : command
  if (unknown !== undefined) refuse(`--${unknown} is not a flag of ${name}; see --help`)
}

function flagsOf(command: Command): readonly string[] {
  return FLAGS.filter(({ commands = ['check'] }) => commands.includes(command)).map(({ name }) => name)
}

/** `--rate N` */
export function usageOf({ name, value }: Flag): string {
  return [`--${name}`, value].filter(Boolean).join(' ')
}

/** `requests per second at most (default: unlimited)` */
export function meaningOf({ help, default: preset }: Flag): string {
  return preset === undefined ? help : `${help} (default: ${preset})`
}

/** The text of `--help`. */
export function helpText(program: string): string {
  const width = Math.max(...FLAGS.map((it) => usageOf(it).length))
  return `${program}: does a running service conform to its contract?

  ${program} --target URL [flags]      check a service
  ${program} har FILE [--target URL]   judge recorded traffic (HAR 1.2), sending nothing
  ${program} --list-rules              the rules by phase

Examples:
  ${program} --target http://127.0.0.1:4020 --kind sandbox
  ${program} --target http://127.0.0.1:4020 --kind sandbox --only authorization --report html=check.html

${FLAGS.map((it) => `  ${usageOf(it).padEnd(width)}  ${meaningOf(it)}`).join('\n')}

A service that is signed in to elsewhere takes a token from TOKEN, and OTHER_TOKEN for a second partner, in the
environment. A flag that would do nothing is refused. har takes --${flagsOf('har').join(' --')}.

Exit codes: ${EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join(', ')}.
A first Ctrl-C removes what the run created and prints what it found; a second ends at once.
`
}

export const EXIT_CODES = [
  [0, 'nothing that fails the run'],
  [1, 'findings that fail it, or too little coverage'],
  [2, 'could not run, or not to its end'],
  [130, 'interrupted by Ctrl-C'],
  [143, 'interrupted by SIGTERM'],
] as const
