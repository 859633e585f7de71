import { readContract } from './contract/contract.ts'
import {
  AMOUNT,
  BASE_URL,
  BOOLEAN,
  baseOf,
  between,
  CREDENTIALS,
  DOCUMENT,
  type Expectations,
  FUNCTION,
  listOf,
  oneOf,
  RECEIVER_URL,
  SIGNAL,
  VALUES,
  validateOptions,
} from './options.ts'
import { plans } from './plans/index.ts'
import { createResultBuilder, type Result } from './report/result.ts'
import { rules } from './rules/index.ts'
import { chosen, type RunOptions, run } from './run.ts'
import type { ReceiverOptions } from './send/receiver.ts'
import { httpTransport, type Transport } from './send/transport.ts'

/** Options of `check`. */
export interface CheckOptions
  extends Omit<
    RunOptions,
    'url' | 'target' | 'partner' | 'transport' | 'contract' | 'plans' | 'receiver' | 'lagMs' | 'onExchange'
  > {
  /** Base URL of the service. */
  readonly url: string
  /** A changed copy of the contract, bundled. Default: the partner payments contract. */
  readonly contract?: object
  /** Default: `live`. A live service is paid nothing, and only records that the run created are changed. */
  readonly target?: RunOptions['target']
  /** Default: none. */
  readonly credentials?: NonNullable<RunOptions['partner']>
  /** URL at which the service reaches this machine with deliveries. A local sandbox needs none. */
  readonly receiverUrl?: string
  /** The local port that `receiverUrl` leads to. Default: the port in that URL. */
  readonly receiverPort?: number
  /** Milliseconds to wait for an expected delivery. Default: 8,000. */
  readonly deliveryWithinMs?: number
  /** Sends the requests, instead of HTTP to `url`: for example, to a service in the same process. */
  readonly transport?: Transport
}

/** What each option must be. */
export const CHECK_OPTIONS: Expectations<CheckOptions> = {
  url: BASE_URL,
  contract: DOCUMENT,
  target: oneOf('mock', 'sandbox', 'live'),
  credentials: CREDENTIALS,
  other: CREDENTIALS,
  only: listOf('rules, plans, or first words of rules', selectable()),
  operations: listOf('operationIds'),
  seed: between(0, 4_294_967_295, true),
  timeMs: between(0, 86_400_000),
  rate: between(0.1, 100_000),
  responseWithinMs: between(1, 3_600_000),
  allowPayments: AMOUNT,
  receiverUrl: RECEIVER_URL,
  receiverPort: between(1, 65_535, true),
  deliveryWithinMs: between(1, 3_600_000),
  isComplete: BOOLEAN,
  values: VALUES,
  transport: FUNCTION,
  signal: SIGNAL,
  onProgress: FUNCTION,
}

/** The names that `only` may have. */
export function selectable(): string[] {
  const ids = rules.map(({ id }) => id)
  return [...new Set([...ids, ...ids.map((it) => it.split('-', 1)[0] ?? it), ...plans.map(({ id }) => id)])]
}

/**
 * Checks a running service against the contract.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the service does not respond, or refuses the credentials. Once plans run, findings are never
 * lost: `interrupted` in the result says what ended the run early
 * @throws {ContractError} if the contract cannot be read
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const result = await check({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials })
 * for (const { kind, message } of result.findings) console.log(kind, message)
 */
export async function check(options: CheckOptions): Promise<Result> {
  validateOptions('check', { ...options, url: options.url ?? '' }, CHECK_OPTIONS)
  const { url, contract: document, credentials: partner, target = 'live', seed = 1, ...rest } = options
  const { only, operations, other } = rest
  const base = baseOf(url)
  const contract = readContract(document)
  const named = [...(operations ?? []), ...Object.keys(options.values ?? {})]
  const unknown = named.find((it) => !contract.operations.some(({ id }) => id === it))
  if (unknown !== undefined) throw new TypeError(`the contract has no operation "${unknown}"`)
  const builder = createResultBuilder({
    ...{ contract, base, operations, partner, other },
    rules: chosen(only).rules,
  })
  const { transport, close } = options.transport
    ? { transport: options.transport, close: () => undefined }
    : httpTransport(new URL(base))
  try {
    const ran = await run({
      ...rest,
      ...{ url: base, contract, target, seed, transport, onExchange: builder.see, partner },
      receiver: receiverOf(options, target),
    })
    return builder.build({ ...ran, target, seed })
  } finally {
    await close()
  }
}

/** A receiver, if deliveries can reach it: at a given URL, or from a sandbox on this machine. */
function receiverOf(options: CheckOptions, target: RunOptions['target']): ReceiverOptions | undefined {
  const { receiverUrl: publicUrl, receiverPort: port, deliveryWithinMs: timeoutMs, transport, url } = options
  const isHere = target === 'sandbox' && (transport !== undefined || isOnThisMachine(url))
  return publicUrl === undefined && !isHere ? undefined : { publicUrl, port, timeoutMs }
}

export function isOnThisMachine(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}
