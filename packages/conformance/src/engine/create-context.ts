import { setTimeout as sleep } from 'node:timers/promises'
import { NotSent } from '../model/errors.ts'
import { type Exchange, isSuccess } from '../model/exchange.ts'
import type { Cleanup } from '../transport/cleanup.ts'
import type { Sender } from '../transport/sender.ts'
import { isInScope } from './applicability.ts'
import type { Context } from './context.ts'
import { inOwnCase, noteUnsent, unsentReason } from './inconclusive.ts'
import { CONCURRENCY, type Run, requestBuilderOf } from './prepare.ts'
import type { Rule } from './rule.ts'
import { countInconclusive, type Tally, VALID_REQUEST_REFUSED } from './tally.ts'

export interface RuleRun {
  readonly rule: Rule
  /** Whether the rule runs only to cause traffic, so that its violations are not reported. */
  readonly isTrafficOnly: boolean
  readonly cleanup: Cleanup
  readonly tally: Tally
}

export function createContext(run: Run, { rule, isTrafficOnly, cleanup, tally }: RuleRun): Context {
  const { contract, behaviour, profile, target, clock, identities, receiver, schemas, random, options } = run
  const { signal } = run.stop
  const builder = requestBuilderOf(run, cleanup)
  const send: Sender['send'] = async (view, input, more = {}) => {
    const exchange = await run.sender.send(view, input, more)
    cleanup.remember(exchange, { identity: more.identity ?? 'partner' })
    return exchange
  }
  const becomeCustomer = () =>
    profile.becomeCustomer({ contract, identities, builder, send: run.sender.send })
  const countKeyword =
    (how: 'accepted' | 'refused') => (pointer: string, keyword: string, question: string | undefined) => {
      tally.cases++
      run.coverage.keyword(pointer, keyword, how)
      run.verdicts.confirmed(question, rule.id)
    }
  const isOver = () => signal.aborted
  const context: Context = {
    ...{ contract, behaviour, profile, target, clock, identities, receiver, schemas, random, builder, send },
    timeMs: options.timeMs ?? 1_000,
    becomeCustomer,
    learn: learnOnce(run.learned),
    isIncluded: ({ id }) => isInScope(options, id),
    canSend(view) {
      const unsent = run.policy.notSentReason(view)
      noteUnsent(unsent)
      if (unsent !== undefined) tally.skipped ??= unsent
      return unsent === undefined
    },
    pause: (ms) => pauseUntil(ms, signal),
    passed() {
      tally.cases++
    },
    keywordAccepted: countKeyword('accepted'),
    keywordRefused: countKeyword('refused'),
    linkFollowed: run.coverage.link,
    failed(exchange, violation) {
      if (!isInScope(options, violation.operation)) return
      tally.cases++
      if (!isTrafficOnly) run.record(rule, exchange, violation)
    },
    async renewIdentities() {
      identities.signOut()
      await becomeCustomer()
    },
    inconclusive: (reason) => countInconclusive(tally, reason ?? unsentReason() ?? VALID_REQUEST_REFUSED),
    skipped({ response: { status } }) {
      tally.skipped ??=
        status === 0
          ? 'its requests got no response, which response-received reports'
          : `its requests failed with ${status}, which no-server-error reports`
    },
    expect(exchange, message, place = {}) {
      const { id: operation, pointer = '' } = exchange.view ?? {}
      const at = { operation, contract: pointer, ...place }
      if (!isInScope(options, at.operation)) return message === undefined
      if (isInconclusive(exchange, message)) context.inconclusive()
      else if (message === undefined) {
        context.passed()
        if (place.question !== undefined && contract.questions.has(place.question))
          run.verdicts.confirmed(place.question, rule.id)
      } else context.failed(exchange, { ...at, message })
      return message === undefined
    },
    each: (items, work) => inParallel(items, asCase(context, work, isOver), isOver),
    async accepted(id, { identity = 'partner', set = {}, example = 0 } = {}) {
      const view = contract.operation(id)
      if (!context.canSend(view)) return undefined
      const built = await builder.inputOf(view, { identity, example })
      if (!built) return undefined
      const exchange = await send(view, builder.withFields(built, set), { identity })
      return isSuccess(exchange) ? exchange : undefined
    },
  }
  return context
}

/** A failed computation is repeated by the next caller. */
function learnOnce(learned: Map<string, Promise<unknown>>): Context['learn'] {
  return <T>(name: string, find: () => Promise<T>): Promise<T> => {
    const known = learned.get(name)
    if (known) return known as Promise<T>
    const found = find()
    learned.set(name, found)
    found.catch(() => learned.delete(name))
    return found
  }
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (cause) {
    throw new NotSent('not sent: the run was ended', { cause })
  }
}

/** Without a response, or with a 408, 429 or 503, a case says nothing; another 5xx can fail a case but never pass it. */
function isInconclusive({ response: { status } }: Exchange, message: string | undefined): boolean {
  return [0, 408, 429, 503].includes(status) || (status >= 500 && message === undefined)
}

/** Counts a case as inconclusive if one of its requests must not be sent. */
function asCase<Item>(
  context: Context,
  work: (item: Item) => Promise<void>,
  isOver: () => boolean,
): (item: Item) => Promise<void> {
  return (item) =>
    inOwnCase(async () => {
      try {
        await work(item)
      } catch (error) {
        if (!(error instanceof NotSent)) throw error
        if (!isOver()) context.inconclusive(error.message)
      }
    })
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let item = items[next++]; item !== undefined && !isOver(); item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, lane))
}
