import { setTimeout as sleep } from 'node:timers/promises'
import { NotSent } from '../model/errors.ts'
import { type Exchange, isSuccess } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { TrackExchange } from '../transport/cleanup.ts'
import type { Sender } from '../transport/sender.ts'
import type { Context } from './context.ts'
import { inOwnCase, noteUnsent, unsentReason } from './inconclusive.ts'
import type { Rule } from './rule.ts'
import { countInconclusive, type Tally, VALID_REQUEST_REFUSED } from './tally.ts'
import type { Violation } from './violation.ts'

type Passed =
  | 'contract'
  | 'behaviour'
  | 'profile'
  | 'becomeCustomer'
  | 'learn'
  | 'target'
  | 'builder'
  | 'random'
  | 'schemas'
  | 'identities'
  | 'receiver'
  | 'timeMs'
  | 'clock'
  | 'isAsked'

export interface ContextOptions extends Pick<Context, Passed> {
  readonly sender: Sender
  /** Why an operation is not sent; undefined if it can be. */
  readonly notSent: (view: OperationView) => string | undefined
  readonly rule: Rule
  readonly concurrency: number
  /** Ends the run. */
  readonly signal: AbortSignal
  /** Whether the run includes the operation of a violation. Others are not counted. */
  readonly isReported: (at: Pick<Violation, 'operation'>) => boolean
  readonly onViolation: (rule: Rule, exchange: Exchange, violation: Violation) => void
  readonly onKeyword: (tried: {
    contract: string
    keyword: string
    how: 'accepted' | 'refused'
    question: string | undefined
  }) => void
  readonly onLink: (pointer: string) => void
  readonly onPassed: (question: string) => void
  readonly tally: Tally
  /** Records what has to be removed at the end. */
  readonly remember: TrackExchange
}

export function createContext(options: ContextOptions): Context {
  const {
    rule,
    sender,
    builder,
    tally,
    signal,
    concurrency,
    isReported,
    onViolation,
    onKeyword,
    onLink,
    onPassed,
    remember,
    notSent,
    ...rest
  } = options
  const send: Sender['send'] = async (view, input, more = {}) => {
    const exchange = await sender.send(view, input, more)
    remember(exchange, { identity: more.identity ?? 'partner' })
    return exchange
  }
  const isOver = () => signal.aborted
  const context: Context = {
    ...rest,
    canSend(view) {
      const unsent = notSent(view)
      noteUnsent(unsent)
      if (unsent !== undefined) tally.skipped ??= unsent
      return unsent === undefined
    },
    builder,
    send,
    pause: (ms) => pauseUntil(ms, signal),
    passed() {
      tally.cases++
    },
    keywordAccepted(contract, keyword, question) {
      tally.cases++
      onKeyword({ contract, keyword, how: 'accepted', question })
    },
    keywordRefused(contract, keyword, question) {
      tally.cases++
      onKeyword({ contract, keyword, how: 'refused', question })
    },
    linkFollowed: onLink,
    failed(exchange, violation) {
      if (!isReported(violation)) return
      tally.cases++
      onViolation(rule, exchange, violation)
    },
    async renewIdentities() {
      options.identities.signOut()
      await options.becomeCustomer()
    },
    inconclusive: (reason) => countInconclusive(tally, reason ?? unsentReason() ?? VALID_REQUEST_REFUSED),
    skipped({ response: { status } }) {
      tally.skipped ??=
        status === 0
          ? 'its requests got no response, which answers-come reports'
          : `its requests failed with ${status}, which no-server-error reports`
    },
    expect(exchange, message, place = {}) {
      const { id: operation, pointer: contract = '' } = exchange.view ?? {}
      const at = { operation, contract, ...place }
      if (!isReported(at)) return message === undefined
      if (isInconclusive(exchange, message)) context.inconclusive()
      else if (message === undefined) {
        context.passed()
        if (place.question !== undefined) onPassed(place.question)
      } else context.failed(exchange, { ...at, message })
      return message === undefined
    },
    each: (items, work) => inParallel(items, asCase(context, work, isOver), concurrency, isOver),
    async accepted(id, { identity = 'partner', set = {}, input, example = 0 } = {}) {
      const view = options.contract.operation(id)
      if (!context.canSend(view)) return undefined
      const made = input ?? (await builder.inputOf(view, { identity, example }))
      if (!made) return undefined
      const exchange = await send(view, builder.withFields(made, set), { identity })
      return isSuccess(exchange) ? exchange : undefined
    },
  }
  return context
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (cause) {
    throw new NotSent('not sent: the run was ended', { cause })
  }
}

/** Without a response, or with a 408 or 429, a case says nothing; a 5xx can fail a case but never pass it. */
function isInconclusive({ response: { status } }: Exchange, message: string | undefined): boolean {
  return [0, 408, 429].includes(status) || (status >= 500 && message === undefined)
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
  concurrency: number,
  isOver: () => boolean,
): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let item = items[next++]; item !== undefined && !isOver(); item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane))
}
