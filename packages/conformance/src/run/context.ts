import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { behaviour } from '../contract/behaviour.ts'
import type { Exchange } from '../model/exchange.ts'
import { AcceptedValues } from '../plans/accepted-values.ts'
import type { PlanContext } from '../plans/plan.ts'
import { withSubstitutes } from '../plans/substitutes.ts'
import { withModalityWords } from '../plans/try-modality-words.ts'
import { walkList } from '../plans/walk-list.ts'
import { WrongPayments } from '../plans/wrong-payments.ts'
import type { Sender } from '../send/requests.ts'
import { lookAtBalances } from '../send/sandbox.ts'
import { type RefusedParts, withRefusedParts } from './refused-parts.ts'
import type { RefusedRequests } from './refused-requests.ts'
import type { Session } from './session.ts'

/** Collects what the service never accepts of valid requests. */
interface Refused {
  readonly refusedRequests: RefusedRequests
  readonly refusedParts: RefusedParts
}

/**
 * Creates the context that all plans of a run get: it sends requests and says what the run may do. A plan
 * sends requests by it, and judges nothing.
 */
export function createContext(
  session: Session,
  { refusedRequests, refusedParts }: Refused,
): PlanContext {
  const { settings, signal, send, identities, receiver, clock, control } = session
  const { target, contract, operations, values, timeMs, seed } = settings
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  const context: PlanContext = {
    send,
    contract,
    form: settings.form,
    uniqueText: makeUniqueText,
    identities,
    clock,
    receiver,
    values,
    acceptedValues: new AcceptedValues(),
    codePayers: session.codePayers,
    wrongPayments: new WrongPayments(),
    mayPayWrongly: target === 'sandbox',
    maySearch: target === 'sandbox',
    mayWait: target !== 'mock',
    timeMs,
    wait,
    signal,
    repeatLaggingReads: () => repeatLaggingReads(session, wait),
    sideBySide: createSideBySide(session.isSlow),
    // Only the control API of the sandbox shows balances, and moves the clock.
    lookAtBalances: async () => (clock.isControlled ? lookAtBalances(control) : undefined),
    random: createRandom(seed),
    noteValid: refusedRequests.note,
    isChosen: (id) => contract.operationIds.has(id) && (operations?.includes(id) ?? true),
  }
  return withSubstitutes(withRefusedParts(withModalityWords(context), refusedParts))
}

/**
 * Creates the function that does independent work side by side while responses take long. Otherwise it
 * does one after the other, so that two runs send the same.
 */
function createSideBySide(isSlow: () => boolean): PlanContext['sideBySide'] {
  return async (items, work) => {
    const results: Awaited<ReturnType<typeof work>>[] = []
    for (const [i, item] of items.entries()) {
      // Does the rest at once as soon as the service has become slow.
      if (isSlow()) return [...results, ...(await Promise.all(items.slice(i).map(work)))]
      results.push(await work(item))
    }
    return results
  }
}

/**
 * Repeats the reads that did not show a new write, once they can no longer lag behind it: lists page by
 * page, and single records. Rules judge only these later reads. Does nothing if there are none.
 */
async function repeatLaggingReads(
  session: Session,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const { settings, builder } = session
  // A look is a read that found something missing, and may only have come too early.
  const looks = builder.takeLooks()
  if (looks.length === 0) return

  await wait(settings.lagMs + SPARE_MS)
  for (const { look } of looks) await repeatRead(look, session)
}

/** Repeats a read as the same identity: a list from its first page on, with the same filters. */
async function repeatRead(look: Exchange, session: Session): Promise<void> {
  const { settings, send } = session
  // A look is always at an operation of the contract.
  const id = look.operation?.id ?? ''
  const by = findSender(look, session)
  const isList = behaviour.lists[id] !== undefined
  if (!isList) {
    await send(id, { path: look.parameters, body: look.requestBody, by })
    return
  }

  const filters = [...look.query].filter(([name]) => name !== 'cursor')
  const { form, contract } = settings
  await walkList({ send, form, contract }, id, { query: Object.fromEntries(filters), by })
}

/** Milliseconds by which a timer may be early. */
const SPARE_MS = 50

/**
 * Finds which identity of the run sent a request, so that the request can be sent again, with a new token
 * if the old one has expired. For an unknown identity, returns the authorization header itself.
 */
function findSender(exchange: Exchange, { identities, settings }: Session): Sender {
  const { identity, authorization = '' } = exchange
  if (!identity) return { authorization }
  const { other } = settings.options
  const owner = identities.findTokenOwner(authorization)
  if (owner !== undefined) return owner

  // A plan has requested this token itself: the ids of its identity say who sent it.
  if (identity.customer !== undefined) return 'customer'
  const keyOfOther = other && 'clientKey' in other ? other.clientKey : undefined
  return keyOfOther === identity.partner ? 'other' : 'partner'
}

/** Makes a text that no earlier request has: digits and capital letters from A to F. */
function makeUniqueText(length = 30): string {
  return randomBytes(length).toString('hex').slice(0, length).toUpperCase()
}

/** Creates a source of numbers from 0 up to 1 (mulberry32). The same seed gives the same numbers. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
