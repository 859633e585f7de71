import { randomInt } from 'node:crypto'
import { createRequestBuilder, type RequestBuilder } from '../generate/request-builder.ts'
import { createRequiredParameters } from '../generate/required-parameters.ts'
import { createSchemas } from '../generate/schema/index.ts'
import { seededRandom } from '../generate/seeded-random.ts'
import type { Contract } from '../model/contract.ts'
import { loadContract } from '../model/contract-source.ts'
import { CannotRun } from '../model/errors.ts'
import { type Exchange, isSuccess } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import { createCircuitBreaker } from '../transport/circuit-breaker.ts'
import { type Cleanup, createCleanup } from '../transport/cleanup.ts'
import { pinSecrets } from '../transport/credentials.ts'
import { createGuard } from '../transport/guard.ts'
import { createIdentities } from '../transport/identities.ts'
import { createIdleTimeout } from '../transport/idle-timeout.ts'
import { createMask } from '../transport/mask.ts'
import { createPolicy } from '../transport/policy.ts'
import { createRateLimitedTransport } from '../transport/rate-limit.ts'
import { startReceiver } from '../transport/receiver.ts'
import { requireAccess, unsendableReason } from '../transport/required-credentials.ts'
import { createRetryingTransport } from '../transport/retry.ts'
import { createSender } from '../transport/sender.ts'
import { createServiceClock } from '../transport/service-clock.ts'
import { createTrackedResources } from '../transport/tracked-resources.ts'
import { createHttpTransport, createTimedTransport, type Transport } from '../transport/transport.ts'
import type { CheckOptions } from './check-options.ts'
import { evidenceOf } from './evidence.ts'
import { noteResponse } from './inconclusive.ts'
import { createObserver } from './observer.ts'
import { validateOptions } from './option-table.ts'
import type { Profile } from './profile.ts'
import type { Rule } from './rule.ts'
import { createStop, type Stop } from './stop.ts'

/** Concurrent cases and requests. */
export const CONCURRENCY = 8

const DUE_IN_DAYS = 20

/** The parts of a run. */
export type Run = Awaited<ReturnType<typeof prepare>>

/**
 * Creates the parts of a run without sending anything.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the URL is invalid, the contract lacks a selected operation, or needs other credentials
 * @throws {ContractError} if the contract cannot be read
 */
export async function prepare(options: CheckOptions, profile: Profile) {
  validateOptions(options, profile.rules)
  const { target = 'live', seed = 1, other, credentials: partner, allowPayments } = options
  const { contract, register, behaviour } = await loadContract(options.contract)
  const base = baseOf(options.url)
  const named = [...(options.operations ?? []), ...Object.keys(options.values ?? {})]
  const unknown = named.find((id) => !contract.has(id))
  if (unknown !== undefined) throw new CannotRun(`the contract has no operation "${unknown}"`)
  requireAccess(contract, selectedOperations(contract, options), partner)
  const stop = createStop(options.signal)
  const { signal } = stop
  const transport = createRetryingTransport(rateLimited(options, target, base, stop.now))
  const clock = createServiceClock(transport, target, signal)
  const mask = createMask()
  pinSecrets(mask, 'partner', partner)
  pinSecrets(mask, 'other', other)
  const schemas = createSchemas(contract.document.root, contract.validator)
  // One-time values must differ between runs with the same seed.
  const fresh = seededRandom(randomInt(2 ** 32))
  const required = createRequiredParameters(schemas)
  const unsendable = (view: OperationView) => unsendableReason(contract, view, { required, given: partner })
  const policy = createPolicy(contract, target, { ...options, payment: profile.payment, unsendable })
  const show = (exchange: Exchange, rule: Rule) =>
    evidenceOf(exchange, { base: base.href, mask, contract, rule })
  const observer = createObserver({ contract, profile, options, register, behaviour, show })
  const { observe } = observer
  const tracked = createTrackedResources(contract)
  const { payment } = profile
  const guard = createGuard({
    ...{ contract, policy, tracked, target, payment, signal },
    maxAmount: allowPayments?.maxAmount,
  })
  const identities = createIdentities({
    contract,
    transport,
    mask,
    base,
    partner,
    other,
    observe,
    guard,
    signal,
  })
  const sender = createSender({
    contract,
    transport,
    identities,
    guard,
    signal,
    clock,
    filled: required.filled,
    unsendable,
    observe(exchange, by) {
      noteResponse(exchange)
      circuitBreaker(exchange)
      tracked.see(exchange)
      cleanup.remember(exchange, by)
      observe(exchange)
    },
  })
  const circuitBreaker = createCircuitBreaker(stop.now)
  const cleanup = createCleanup(contract, sender)
  const receiver = canDeliver(options, target, base)
    ? await startReceiver({
        publicUrl: options.receiverUrl,
        port: options.receiverPort,
        timeoutMs: options.deliveryWithinMs,
      })
    : undefined
  return {
    ...observer,
    options,
    stop,
    profile,
    target,
    seed,
    contract,
    behaviour,
    base,
    transport,
    clock,
    identities,
    policy,
    sender,
    cleanup,
    receiver,
    /** Set if no delivery reached the receiver. */
    unreached: { reason: undefined as string | undefined },
    guard,
    required,
    unsendable,
    schemas,
    random: seededRandom(seed),
    fresh,
    started: Date.now(),
    learned: new Map<string, Promise<unknown>>(),
    took: new Map<string, number>(),
  }
}

/** Builds requests for a rule. Records created on the way are removed with those of the rule. */
export function requestBuilderOf(run: Run, cleanup: Cleanup): RequestBuilder {
  const { contract, schemas, policy, profile, options, sender, fresh, clock, required } = run
  return createRequestBuilder({
    contract,
    random: fresh,
    validOf: (pointer) => schemas.validOf(pointer),
    values: mergedValues(
      profile.values(options.allowPayments?.maxAmount ?? '0.01', clock.day(DUE_IN_DAYS)),
      options.values,
    ),
    pathValue: required.pathValue,
    canSend: policy.canSend,
    send: async (view, input, identity) => {
      const exchange = await sender.send(view, input, { identity })
      cleanup.remember(exchange, { identity })
      return isSuccess(exchange) ? exchange : undefined
    },
  })
}

function selectedOperations({ operations }: Contract, options: CheckOptions): readonly OperationView[] {
  return options.operations ? operations.filter(({ id }) => options.operations?.includes(id)) : operations
}

/** Requests per second to a live service by default. */
const LIVE_RATE = 10

function rateLimited(options: CheckOptions, target: Target, base: URL, stop: Stop['now']): Transport {
  const { rate = target === 'live' ? LIVE_RATE : undefined } = options
  const transport = createIdleTimeout(transportOf(options, base), stop)
  return rate === undefined ? transport : createRateLimitedTransport(transport, rate)
}

/** The given transport, or HTTP to the base URL. */
function transportOf({ transport }: Pick<CheckOptions, 'transport'>, base: URL): Transport {
  return transport ? createTimedTransport(transport) : createHttpTransport(base, { connections: CONCURRENCY })
}

/** Whether the service can reach a receiver: at a given URL, or as a sandbox on this machine. */
function canDeliver({ receiverUrl, transport }: CheckOptions, target: Target, base: URL): boolean {
  if (receiverUrl !== undefined) return true
  return target === 'sandbox' && (transport !== undefined || isOnThisMachine(base))
}

export function isOnThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * @throws {CannotRun} if the URL is invalid or contains credentials
 */
export function baseOf(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base && (base.username !== '' || base.password !== ''))
    throw new CannotRun('the target must be a URL without credentials; pass them separately')
  if (base && /^https?:$/.test(base.protocol) && base.search === '' && base.hash === '') return base
  throw new CannotRun(`the target must be a URL like http://127.0.0.1:4020, got "${url}"`)
}

type Values = NonNullable<CheckOptions['values']>

/** The second values override the first, by operation and pointer. */
function mergedValues(values: Values, others: Values = {}): Values {
  const ids = [...new Set([...Object.keys(values), ...Object.keys(others)])]
  return Object.fromEntries(ids.map((id) => [id, { ...values[id], ...others[id] }]))
}
