import { parseArgs } from 'node:util'
import { type Bounds, boundsInWords, isWithin } from '../engine/option-rules.ts'
import { refuse } from './usage.ts'

const text = { type: 'string' } as const
const list = { type: 'string', multiple: true } as const
const yes = { type: 'boolean', default: false } as const

const options = {
  target: text,
  kind: { type: 'string', default: 'live' },
  spec: text,
  'client-key': text,
  'client-secret': text,
  'other-key': text,
  'other-secret': text,
  'allow-payments': yes,
  'max-amount': text,
  only: list,
  operation: list,
  shard: text,
  time: text,
  seed: text,
  sample: text,
  rate: text,
  'response-within': text,
  'delivery-within': text,
  receiver: text,
  'receiver-port': text,
  set: list,
  strict: yes,
  baseline: text,
  'write-baseline': text,
  until: text,
  'min-coverage': list,
  report: list,
  json: yes,
  verbose: yes,
  'list-rules': yes,
  help: yes,
  version: yes,
} as const

/** Flags as they were given. */
export type Flags = ReturnType<typeof parse>['values']

/**
 * Reads the command line: flags with their defaults, words, and the names of the flags that were given.
 *
 * @throws {UsageError} where a flag is unknown, or lacks its value.
 */
export function readFlags(args: readonly string[]): {
  flags: Flags
  words: readonly string[]
  given: readonly string[]
} {
  try {
    const { values, positionals, tokens } = parse(args)
    const given = tokens.flatMap((it) => (it.kind === 'option' ? [it.name] : []))
    return { flags: values, words: positionals, given }
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true })
}

type Name = keyof typeof options

/** Whom requests are sent to, as whom, and how. */
const SERVICE: readonly Name[] = [
  ...(['target', 'kind', 'spec', 'client-key', 'client-secret', 'other-key', 'other-secret'] as const),
  ...(['allow-payments', 'max-amount', 'receiver', 'receiver-port', 'delivery-within'] as const),
  ...(['time', 'seed', 'rate', 'set', 'response-within'] as const),
]
const PARTS: readonly Name[] = ['only', 'operation', 'shard']
/** What counts, and where it is written. */
const OUTCOME: readonly Name[] = [
  ...(['strict', 'baseline', 'write-baseline', 'until', 'min-coverage'] as const),
  ...(['report', 'json', 'verbose'] as const),
]

/** The flags that do something for each command. */
const FLAGS_OF = {
  'a check': [...SERVICE, ...PARTS, ...OUTCOME],
  replay: [...SERVICE, 'strict', 'json'],
  prove: [...SERVICE, ...PARTS, 'sample', 'json'],
  har: ['target', 'spec', ...OUTCOME],
  '--list-rules': ['list-rules', 'json'],
} as const satisfies Readonly<Record<string, readonly Name[]>>

/**
 * Refuses flags that would do nothing: a gate that is not looked at is green.
 *
 * @throws {UsageError} which names the first of them.
 */
export function requireFlags(command: keyof typeof FLAGS_OF, given: readonly string[]): void {
  const known: readonly string[] = FLAGS_OF[command]
  const stray = given.find((it) => !known.includes(it))
  if (stray !== undefined) refuse(`--${stray} is no flag of ${command}; see --help`)
}

/** The items of a flag that may be given several times, and hold several. */
export function itemsOf(flag: string, given: readonly string[] = []): string[] {
  const items = given
    .flatMap((it) => it.split(','))
    .map((it) => it.trim())
    .filter((it) => it !== '')
  // As from a variable that is not set: to take it for everything, or for nothing, would turn a gate green.
  return given.length > 0 && items.length === 0 ? refuse(`${flag} names nothing`) : items
}

/**
 * A number of a flag; undefined where it was not given.
 *
 * @throws {UsageError} where it is none, or beyond the bounds.
 */
export function numberOf(flag: string, given: string | undefined, bounds: Bounds): number | undefined {
  if (given === undefined) return undefined
  const number = /^\d{1,10}(\.\d{1,6})?$/.test(given) ? Number(given) : Number.NaN
  return isWithin(number, bounds)
    ? number
    : refuse(`${flag} must be ${boundsInWords(bounds)}, got "${given}"`)
}
