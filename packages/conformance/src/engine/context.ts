import { setTimeout as sleep } from 'node:timers/promises'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Maker } from '../generate/request-builder.ts'
import type { Schemas } from '../generate/schema/index.ts'
import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Remember } from '../transport/cleanup.ts'
import type { Exchange, Input, Who } from '../transport/exchange.ts'
import type { Identities } from '../transport/identities.ts'
import type { Receiver } from '../transport/receiver.ts'
import { NotSent } from '../transport/safety.ts'
import type { Sender } from '../transport/sender.ts'
import type { ServiceClock } from '../transport/service-clock.ts'
import { apart, noteUnsent, unsentNow } from './inconclusive.ts'
import type { Broken } from './judge.ts'
import type { Target } from './result.ts'
import type { Law } from './rule.ts'
import { mask, REFUSED, type Tally } from './tally.ts'

/** What a law works with. */
export interface Scene {
  readonly contract: Contract
  /** What the service does beyond one request; empty where nothing is declared. */
  readonly behaviour: Behaviour
  readonly target: Target
  readonly send: Sender['send']
  readonly maker: Maker
  /** Random numbers from 0 to 1, the same for the same seed. */
  readonly random: () => number
  /** Cases made of schemas. */
  readonly schemas: Schemas
  /** Who requests can be sent as. */
  readonly identities: Identities
  /** Receives deliveries; undefined where the service cannot reach one. */
  readonly receiver: Receiver | undefined
  /** The clock of the service. */
  readonly clock: ServiceClock
  /** Milliseconds for random cases. */
  readonly timeMs: number
  /** Waits so many milliseconds. Throws `NotSent` where the run ends meanwhile: what follows is not sent either. */
  pause(ms: number): Promise<void>
  /** Whether the run is about an operation. */
  isAsked(view: OperationView): boolean
  /** Whether an operation may be sent to this target. */
  may(view: OperationView): boolean
  /** One more case, which held. */
  held(): void
  /** A keyword of a request was met at its edge, and the request accepted. */
  kept(contract: string, keyword: string, question: string | undefined): void
  /** A keyword of a request was broken, and the request refused. */
  refused(contract: string, keyword: string, question: string | undefined): void
  /** A link of the contract was followed. */
  followed(pointer: string): void
  /** One more case, which did not. */
  broken(exchange: Exchange, broken: Broken): void
  /** One more case, which cannot be judged: what it rests on was refused too or not sent, if nothing else is said. */
  masked(reason?: string): void
  /** A case that is another law's business: its answer was a failure of the service. */
  passedOver(exchange: Exchange): void
  /**
   * Holds a case to its law: without a message it held. What was not answered, or put off, is masked, and what failed
   * never held: laws of every answer tell it.
   */
  expect(exchange: Exchange, message: string | undefined, place?: Partial<Broken>): boolean
  /** Runs a work for each item, several at a time; stops when the time of the run is up. */
  each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void>
  /** A success of an operation, its input made for it; undefined where the service refused it. */
  accepted(id: string, options?: AcceptedOptions): Promise<Exchange | undefined>
}

export interface AcceptedOptions {
  readonly who?: Who
  /** Members to be set after the input was made, by their pointers. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly input?: Input
  /** Which of the examples it begins with. Default: the first. */
  readonly example?: number
}

type Given =
  | 'contract'
  | 'behaviour'
  | 'target'
  | 'maker'
  | 'random'
  | 'schemas'
  | 'identities'
  | 'receiver'
  | 'timeMs'
  | 'clock'
  | 'isAsked'

export interface SceneOptions extends Pick<Scene, Given> {
  readonly sender: Sender
  /** Why an operation is not sent; undefined where it may be. */
  readonly notSent: (view: OperationView) => string | undefined
  readonly law: Law
  readonly concurrency: number
  /** Ends the run. */
  readonly signal: AbortSignal
  /** Whether what was broken is of an operation that the run is about; else it is no case of it. */
  readonly isTold: (at: Pick<Broken, 'operation'>) => boolean
  readonly onBroken: (law: Law, exchange: Exchange, broken: Broken) => void
  readonly onKeyword: (tried: {
    contract: string
    keyword: string
    how: 'kept' | 'broken'
    question: string | undefined
  }) => void
  readonly onLink: (pointer: string) => void
  /** A case of one question passed. */
  readonly onPassed: (question: string) => void
  readonly tally: Tally
  /** Takes note of what has to be removed in the end. */
  readonly remember: Remember
}

export function createScene(options: SceneOptions): Scene {
  const {
    law,
    sender,
    maker,
    tally,
    signal,
    concurrency,
    isTold,
    onBroken,
    onKeyword,
    onLink,
    onPassed,
    remember,
    notSent,
    ...rest
  } = options
  const send: Sender['send'] = async (view, input, more = {}) => {
    const exchange = await sender.send(view, input, more)
    remember(exchange, { who: more.who ?? 'partner' })
    return exchange
  }
  const isOver = () => signal.aborted
  const scene: Scene = {
    ...rest,
    may(view) {
      const unsent = notSent(view)
      noteUnsent(unsent)
      if (unsent !== undefined) tally.passedOver ??= unsent
      return unsent === undefined
    },
    maker,
    send,
    pause: (ms) => paused(ms, signal),
    held() {
      tally.cases++
    },
    kept(contract, keyword, question) {
      tally.cases++
      onKeyword({ contract, keyword, how: 'kept', question })
    },
    refused(contract, keyword, question) {
      tally.cases++
      onKeyword({ contract, keyword, how: 'broken', question })
    },
    followed: onLink,
    broken(exchange, broken) {
      if (!isTold(broken)) return
      tally.cases++
      onBroken(law, exchange, { question: law.question, ...broken })
    },
    masked: (reason) => mask(tally, reason ?? unsentNow() ?? REFUSED),
    passedOver({ reply: { status } }) {
      tally.passedOver ??=
        status === 0
          ? 'its cases got no answer, which answers-come tells'
          : `its cases were answered ${status}, which no-server-error tells`
    },
    expect(exchange, message, place = {}) {
      const { id: operation, pointer: contract = '' } = exchange.view ?? {}
      const at = { operation, contract, ...place }
      if (!isTold(at)) return message === undefined
      if (saysNothing(exchange, message)) scene.masked()
      else if (message === undefined) {
        scene.held()
        if (place.question !== undefined) onPassed(place.question)
      } else scene.broken(exchange, { ...at, message })
      return message === undefined
    },
    each: (items, work) => inParallel(items, orMasked(scene, work, isOver), concurrency, isOver),
    async accepted(id, { who = 'partner', set = {}, input, example = 0 } = {}) {
      const view = options.contract.operation(id)
      if (!scene.may(view)) return undefined
      const made = input ?? (await maker.inputOf(view, { who, example }))
      if (!made) return undefined
      const exchange = await send(view, maker.withMembers(made, set), { who })
      return isSuccess(exchange) ? exchange : undefined
    },
  }
  return scene
}

async function paused(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (cause) {
    throw new NotSent('not sent: the run was ended', { cause })
  }
}

/** Whether the service did what it was asked for. */
export function isSuccess({ reply }: Exchange): boolean {
  return reply.status >= 200 && reply.status < 300
}

/** No answer, a timeout and a call for patience say nothing of a request; a failure never says that all is well. */
function saysNothing({ reply: { status } }: Exchange, message: string | undefined): boolean {
  return [0, 408, 429].includes(status) || (status >= 500 && message === undefined)
}

/** A case that must not be sent cannot be judged. */
function orMasked<Item>(
  scene: Scene,
  work: (item: Item) => Promise<void>,
  isOver: () => boolean,
): (item: Item) => Promise<void> {
  return (item) =>
    apart(async () => {
      try {
        await work(item)
      } catch (error) {
        if (!(error instanceof NotSent)) throw error
        if (!isOver()) scene.masked(error.message)
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
