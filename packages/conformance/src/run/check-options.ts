import { type Known, refuseUnknown, requireDocument } from '../known-options.ts'
import { PHASES } from '../law.ts'
import { laws } from '../laws/index.ts'
import type { CheckOptions } from './options.ts'

/** Every option of a run. */
export const CHECK_OPTIONS: Known<CheckOptions> = {
  url: true,
  contract: true,
  target: true,
  credentials: true,
  other: true,
  strict: true,
  seed: true,
  timeMs: true,
  only: true,
  operations: true,
  shard: true,
  allowPayments: true,
  values: true,
  answerWithinMs: true,
  deliveryWithinMs: true,
  rate: true,
  receiverUrl: true,
  receiverPort: true,
  wire: true,
  signal: true,
  onReached: true,
  onProgress: true,
}

/**
 * Looks at the options of a run, which a program without types may have got wrong.
 *
 * @throws {TypeError} where one is unknown, or not what it must be
 */
export function checkOptions(options: CheckOptions): void {
  refuseUnknown('check', options, CHECK_OPTIONS)
  requireDocument(options.contract)
  const { target } = options
  if (target !== undefined && !['mock', 'sandbox', 'live'].includes(target))
    throw new TypeError(`target must be mock, sandbox or live, got "${target}"`)
  requireLaws(options.only)
  requireAccessForm('credentials', options.credentials)
  requireAccessForm('other', options.other)
}

function requireLaws(only: CheckOptions['only'] = []): void {
  const known = new Set<string>([...PHASES, ...laws.map(({ id }) => id)])
  const stray = only.find((it) => !known.has(it))
  if (stray !== undefined) throw new TypeError(`only names "${stray}", which is neither a law nor a phase`)
}

function requireAccessForm(name: string, given: unknown): void {
  if (given === undefined) return
  const has = (member: string) => typeof (given as Record<string, unknown> | null)?.[member] === 'string'
  if (has('token') || (has('clientKey') && has('clientSecret'))) return
  throw new TypeError(`${name} must be { clientKey, clientSecret } or { token }, each of them a text`)
}
