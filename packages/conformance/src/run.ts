import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readContract } from './contract/contract.ts'
import type { RecordedDelivery } from './history.ts'
import type { Exchange } from './model/exchange.ts'
import {
  baseOf,
  CHECK_OPTIONS,
  type CheckOptions,
  isOnThisMachine,
  validateOptions,
} from './options.ts'
import { plans as allPlans } from './plans/index.ts'
import { walk } from './plans/lists.ts'
import type { Plan, PlanContext } from './plans/plan.ts'
import { createResultBuilder, type Result } from './report/result.ts'
import { rules as allRules } from './rules/index.ts'
import { type Access, createIdentities } from './send/identities.ts'
import { createRateLimit, withCircuitBreaker } from './send/limits.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './send/receiver.ts'
import { createServiceClock, lookAtBalances } from './send/sandbox.ts'
import { createSend, type Send, type Sender } from './send/sender.ts'
import { httpTransport, type Transport } from './send/transport.ts'

/** What tests replace besides. */
export interface RunOptions extends CheckOptions {
  /** Default: all. */
  readonly plans?: readonly Plan[]
  /** Milliseconds by which a list may lag behind a write. Default: 5,000. */
  readonly lagMs?: number
}

/** Requests per second to a live service. */
const LIVE_RATE = 10

/**
 * Checks a running service against the contract.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the service does not respond, or refuses the credentials, or deliveries
 *   cannot be received. Once plans run, findings are never lost: `interrupted` in the result says
 *   what ended the run early
 * @throws {ContractError} if the contract cannot be read
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const result = await check({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials })
 * for (const { kind, message } of result.findings) console.log(kind, message)
 */
export async function check(options: CheckOptions): Promise<Result> {
  validateOptions('check', { ...options, url: options.url ?? '' }, CHECK_OPTIONS)
  return run(options)
}

/**
 * Runs plans on a service, one after the other, while the rules read what happens. The options are
 * valid.
 */
export async function run(options: RunOptions): Promise<Result> {
  if (options.transport) return runOn(options.transport, options)
  const { transport, close } = httpTransport(new URL(baseOf(options.url)))
  return runOn(transport, options).finally(close)
}

async function runOn(transport: Transport, options: RunOptions): Promise<Result> {
  const {
    target = 'live',
    isComplete = target === 'sandbox',
    only,
    operations,
    values = {},
  } = options
  const { seed = 1, timeMs = 1_000, lagMs = 5_000, responseWithinMs } = options
  const { rate = target === 'live' ? LIVE_RATE : undefined, credentials: partner, other } = options
  const base = baseOf(options.url)
  const contract = readContract(options.contract)
  const declared = new Set(contract.operations.map(({ id }) => id))
  const unknown = [...(operations ?? []), ...Object.keys(values)].find((it) => !declared.has(it))
  if (unknown !== undefined) throw new TypeError(`the contract has no operation "${unknown}"`)
  const ending = new AbortController()
  const { signal } = ending
  const end = () => ending.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', end)
  if (options.signal?.aborted) end()
  const limited = withCircuitBreaker(transport, (reason) => ending.abort(reason))
  const { plans, rules } = chosen(only, options.plans)
  const notSent = new Set<string>()
  const accepted = new Map<string, boolean>()
  const identities = createIdentities({ partner, other, url: base }, (...all) => send(...all))
  let broken: { readonly error: unknown } | undefined
  const postpone = createPostpone((error) => {
    broken = { error }
    ending.abort()
  })
  const onDelivery = (it: RecordedDelivery) => builder.history.add(it)
  const receiver = await receiverOf(options, { onDelivery, signal })
  const builder = createResultBuilder({
    ...{ contract, isComplete, lagMs, rules, operations, responseWithinMs, base, partner, other },
    credentials: identities.credentials,
    deliveryMs: options.deliveryWithinMs,
    postpone,
    // Whether the service reaches a public URL shows with the first delivery.
    receiverUrl: options.receiverUrl === undefined ? receiver?.url : undefined,
  })
  const { history } = builder
  const clock = createServiceClock({ transport, history, signal })
  const send: Send = createSend({
    ...{ target, allowPayments: options.allowPayments, contract, history, identities, signal },
    rateLimit: createRateLimit(rate),
    onKept: (reason) => notSent.add(reason),
    transport: limited,
  })
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)

  async function lookAgain(): Promise<void> {
    const looks = builder.takeLooks()
    if (looks.length > 0) await wait(lagMs + 50)
    for (const { list } of looks)
      await walk({ send }, list.operation?.id ?? '', {
        query: Object.fromEntries([...list.query].filter(([name]) => name !== 'cursor')),
        by: senderOf(list, other),
      })
  }

  const context: PlanContext = {
    ...{
      send,
      contract,
      fresh,
      identities,
      clock,
      receiver,
      values,
      timeMs,
      lookAgain,
      wait,
      signal,
    },
    // No other service has the control API of the sandbox.
    lookAtBalances: async () =>
      target === 'sandbox' ? lookAtBalances({ transport, history, signal }) : undefined,
    random: seededRandom(seed),
    noteValid: (request, isAccepted) =>
      accepted.set(request, isAccepted || accepted.get(request) === true),
    isChosen: (id) => declared.has(id) && (operations?.includes(id) ?? true),
  }
  let leftovers: readonly string[] = []
  try {
    if (target === 'sandbox') await clock.look()
    await identities.start()
    for (const [index, plan] of plans.entries()) {
      if (signal.aborted) break
      options.onProgress?.({
        plan: plan.id,
        number: index + 1,
        plans: plans.length,
        ...builder.count(),
      })
      await plan.run(context)
      // A service may limit records, and would attempt deliveries to every webhook that is left.
      if (!signal.aborted) await lookAgain()
      await send.cleanUp()
    }
  } finally {
    try {
      leftovers = await send.cleanUp()
      await clock.restore()
    } finally {
      await receiver?.close()
    }
  }
  if (broken) throw broken.error
  // A request that was not sent explains why others could not be built.
  const refused =
    notSent.size > 0 ? [] : [...accepted].flatMap(([request, isAny]) => (isAny ? [] : [request]))
  for (const it of refused)
    notSent.add(`not tried: what builds on a valid ${it}, of which none was accepted`)
  return builder.result({
    ...{ target, seed, leftovers, notSent: [...notSent], wanted: plans.flatMap(wantedBy) },
    inconclusive: refused.length > 0 ? ['requests-accepted'] : [],
    ...(signal.aborted && { interrupted: String(signal.reason) }),
  })
}

/** Runs work once the next request has been written, so that the service works at the same time. */
function createPostpone(onError: (error: unknown) => void) {
  const tryNow = (work: () => void) => {
    try {
      work()
    } catch (error) {
      onError(error)
    }
  }
  return (work: () => void) => setImmediate(() => setImmediate(tryNow, work))
}

/** The identity that sent a request, whose token may have expired since. */
function senderOf({ by, request }: Exchange, other: Access | undefined): Sender {
  if (!by) return { authorization: request.headers.authorization ?? '' }
  const isOther = other && 'clientKey' in other && other.clientKey === by.partner
  return by.customer === undefined ? (isOther ? 'other' : 'partner') : 'customer'
}

/** A receiver, if deliveries can reach it: at a given URL, or from a sandbox on this machine. */
function receiverOf(
  options: RunOptions,
  listening: ReceiverOptions,
): Promise<Receiver> | undefined {
  const {
    receiverUrl: publicUrl,
    receiverPort: port,
    deliveryWithinMs: timeoutMs,
    transport,
    url,
  } = options
  const isHere = options.target === 'sandbox' && (transport !== undefined || isOnThisMachine(url))
  if (publicUrl === undefined && !isHere) return undefined
  return startReceiver({ publicUrl, port, timeoutMs, ...listening })
}

/** The plans and rules of a selection. */
export function chosen(only: readonly string[] | undefined, of = allPlans) {
  if (!only) return { plans: of, rules: allRules }
  const rules = allRules.filter(({ id }) => isNamed(id, only))
  const plans = of.filter(
    (it) => only.includes(it.id) || wantedBy(it).some((id) => isNamed(id, only)),
  )
  // A rule that no plan wants reads what all of them send.
  const isWanted = rules.every(({ id }) => plans.some((it) => wantedBy(it).includes(id)))
  return { plans: isWanted ? plans : of, rules: rules.length > 0 ? rules : allRules }
}

/** The ids of the rules that a plan wants a case of. */
function wantedBy({ wants }: Plan): string[] {
  return allRules.map(({ id }) => id).filter((id) => isNamed(id, wants))
}

/** Whether names have a rule by its id, or by the first word of it. */
function isNamed(rule: string, names: readonly string[]): boolean {
  return names.some((it) => rule === it || rule.startsWith(`${it}-`))
}

function fresh(length = 30): string {
  return randomBytes(length).toString('hex').slice(0, length).toUpperCase()
}

/** Numbers from 0 up to 1 (mulberry32). The same seed gives the same numbers. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
