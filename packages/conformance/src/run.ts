import { randomBytes } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { type Contract, readContract } from './contract/contract.ts'
import type { RecordedDelivery } from './history.ts'
import { plans as allPlans } from './plans/index.ts'
import { walk } from './plans/lists.ts'
import type { Plan, PlanContext, RequestValues } from './plans/plan.ts'
import { createReader, type ReadOptions } from './read.ts'
import type { Observed } from './report/result.ts'
import { rules as allRules } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'
import type { GuardOptions } from './send/guard.ts'
import { createIdentities, type IdentityOptions } from './send/identities.ts'
import { createRateLimit, withCircuitBreaker } from './send/limits.ts'
import { type ReceiverOptions, startReceiver } from './send/receiver.ts'
import { createServiceClock, lookAtBalances } from './send/sandbox.ts'
import { createSend, type Send } from './send/sender.ts'
import type { Transport } from './send/transport.ts'

type Reading = Pick<ReadOptions, 'operations' | 'lagMs' | 'responseWithinMs' | 'onExchange'>

export interface RunOptions extends GuardOptions, IdentityOptions, Reading {
  readonly transport: Transport
  /** Default: the partner payments contract. */
  readonly contract?: Contract | undefined
  /** Default: all. */
  readonly plans?: readonly Plan[]
  /** Ids of rules or of plans, or the first word of rules. A rule is run with the plans that want it. Default: all. */
  readonly only?: readonly string[]
  /** Default: 1. */
  readonly seed?: number
  /** Values for requests, such as a key that the service knows. */
  readonly values?: RequestValues
  /** Milliseconds for random cases. Default: 1,000. */
  readonly timeMs?: number
  /** Receives deliveries. Default: none is received. */
  readonly receiver?: ReceiverOptions | undefined
  /** Whether nobody else writes to the service. Default: for a sandbox. */
  readonly isComplete?: boolean
  /** Requests per second. Default: 10 on a live service, any number on others. */
  readonly rate?: number
  /** Ends the run; what it has created is still removed. */
  readonly signal?: AbortSignal
  /** Called before each plan. */
  readonly onProgress?: (progress: Progress) => void
}

/** The progress of a run. */
export interface Progress {
  /** The id of the plan that begins. */
  readonly plan: string
  /** Its number, from 1. */
  readonly number: number
  readonly plans: number
  readonly requests: number
  readonly findings: number
}

export type RunResult = Omit<Observed, 'target' | 'seed'>

/** Requests per second to a live service. */
const LIVE_RATE = 10

/**
 * Runs plans on a service, one after the other, while the rules read what happens.
 *
 * @throws {CannotRun} if the service cannot be reached or refuses the credentials, or deliveries cannot be received
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const { transport, target, isComplete = target === 'sandbox', only, operations } = options
  const { seed = 1, timeMs = 1_000, lagMs = 5_000, values = {}, responseWithinMs, onExchange } = options
  const { contract = readContract() } = options
  const { rate = target === 'live' ? LIVE_RATE : undefined } = options
  const ending = new AbortController()
  const { signal } = ending
  const end = () => ending.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', end)
  if (options.signal?.aborted) end()
  const limited = withCircuitBreaker(transport, (reason) => ending.abort(reason))
  const { plans, rules } = chosen(only, options.plans)
  const notSent = new Set<string>()
  const accepted = new Map<string, boolean>()
  let requests = 0
  const identities = createIdentities(options, (...all) => send(...all))
  const listening = { onDelivery: (it: RecordedDelivery) => reader.history.add(it), signal }
  const receiver = options.receiver && (await startReceiver({ ...options.receiver, ...listening }))
  const reader = createReader({
    ...{ contract, isComplete, lagMs, rules, operations, onExchange, responseWithinMs },
    credentials: identities.credentials,
    deliveryMs: options.receiver?.timeoutMs,
    // Whether the service reaches a public URL shows with the first delivery.
    receiverUrl: options.receiver?.publicUrl === undefined ? receiver?.url : undefined,
  })
  const { history } = reader
  const clock = createServiceClock({ transport, history, signal })
  const send: Send = createSend({
    ...options,
    ...{ contract, history, identities, signal },
    rateLimit: createRateLimit(rate),
    onKept: (reason) => notSent.add(reason),
    transport: (...all) => {
      requests++
      return limited(...all)
    },
  })
  const declared = new Set(contract.operations.map(({ id }) => id))
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)

  async function lookAgain(): Promise<void> {
    await turn()
    const looks = reader.takeLooks()
    if (looks.length > 0) await wait(lagMs + 50)
    for (const { operation, query, request } of looks.map(({ list }) => list))
      await walk({ send }, operation?.id ?? '', {
        query: Object.fromEntries([...query].filter(([name]) => name !== 'cursor')),
        by: { authorization: request.headers.authorization ?? '' },
      })
  }

  const context: PlanContext = {
    ...{ send, contract, fresh, identities, clock, receiver, values, timeMs, lookAgain, wait, signal },
    lookAtBalances: () => lookAtBalances({ transport, history, signal }),
    random: seededRandom(seed),
    noteValid: (request, isAccepted) => accepted.set(request, isAccepted || accepted.get(request) === true),
    isChosen: (id) => declared.has(id) && (operations?.includes(id) ?? true),
  }
  let leftovers: readonly string[] = []
  try {
    if (target === 'sandbox') await clock.look()
    await identities.start()
    for (const [index, plan] of plans.entries()) {
      if (signal.aborted) break
      const findings = reader.look().findings.length
      options.onProgress?.({ plan: plan.id, number: index + 1, plans: plans.length, requests, findings })
      await plan.run(context)
      // A service may limit records, and would attempt deliveries to every webhook that is left.
      await lookAgain()
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
  await turn()
  const summary = reader.summary()
  const wanted = new Set(plans.flatMap(wantedBy))
  const inconclusive = [...wanted].filter((rule) => !summary.cases.has(rule))
  // A request that was not sent explains why others could not be built.
  const refused =
    notSent.size > 0 ? [] : [...accepted].flatMap(([request, isAny]) => (isAny ? [] : [request]))
  if (refused.length > 0) inconclusive.push('requests-accepted')
  for (const it of refused) notSent.add(`not tried: what builds on a valid ${it}, of which none was accepted`)
  const interrupted = signal.aborted && { interrupted: String(signal.reason) }
  return { ...summary, requests, inconclusive, notSent: [...notSent], leftovers, ...interrupted }
}

/** The plans and rules of a selection. */
export function chosen(
  only: readonly string[] | undefined,
  of = allPlans,
): {
  plans: readonly Plan[]
  rules: readonly Rule[]
} {
  if (!only) return { plans: of, rules: allRules }
  const rules = allRules.filter(({ id }) => isNamed(id, only))
  const plans = of.filter((it) => only.includes(it.id) || wantedBy(it).some((id) => isNamed(id, only)))
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
