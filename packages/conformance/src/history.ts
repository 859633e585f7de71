/**
 * What a recorder left out of a message, or what was redacted in it. It is unknown: not absent, and
 * equal to nothing.
 */
export interface Unrecorded {
  /** JSON pointers into the body. The empty one is the whole body. */
  readonly body?: readonly string[]
  /** Whether a header may be missing. */
  readonly headers?: true
  /** Whether a part of the path or of the query is missing. */
  readonly target?: true
}

/** A request before its body is known. It may go to another service. Names of headers are in lower case. */
export interface RequestHead {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What `body` of `Unrecorded` says if nothing of a body is known. */
export const WHOLE_BODY: readonly string[] = ['']

/** A request as it was sent. Names of headers are in lower case. */
export interface SentRequest {
  readonly method: string
  /** Relative to the base URL, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Absent if there was none, or if it is not known: see `unrecorded`. */
  readonly body?: string
  /** What is not known of it. Default: nothing. */
  readonly unrecorded?: Unrecorded
  /**
   * Whether the header authorization may have been sent although it is missing, as in what browsers
   * record.
   */
  readonly hidesCredentials?: true
}

/** A complete response. Names of headers are in lower case. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** Whether the bytes of the body were not valid UTF-8. */
  readonly hasInvalidUtf8?: true
  /** What is not known of it. Default: nothing. */
  readonly unrecorded?: Unrecorded
}

/** Why a plan sent a request, where the request does not show it. */
export interface Intent {
  /** The exchange whose request was edited, by its `sentAt`. */
  readonly variantOf?: number
  /** The pointer that was edited. */
  readonly edit?: string
  /** Pointers that were edited at once. Only an acceptance says something of each. */
  readonly edits?: readonly string[]
  /** Whether it is the same request in another notation, with new one-time values. */
  readonly isNotation?: true
}

/**
 * A request with its response. Times are in milliseconds since 1970, with fractions, by the clock
 * of this machine.
 */
export interface RecordedExchange {
  readonly type: 'exchange'
  readonly sentAt: number
  /** When the last byte arrived, or when no response was expected any more. */
  readonly completeAt: number
  /**
   * Whether the recorder wrote no time that can be read. Then it was between the two times, which
   * are those of its neighbours.
   */
  readonly hasUnknownTime?: true
  /**
   * Whether a recording has nothing but the clock of its recorder to say when it was: no Date of the service.
   * That clock may have been set meanwhile.
   */
  readonly hasUnprovenTime?: true
  readonly request: SentRequest
  /** Absent if none arrived, so that the outcome is unknown. */
  readonly response?: ReceivedResponse
  /**
   * Whether a recording shows no response of the service, or a shared connection was closed before one arrived. Rules do
   * not judge the exchange, although its request may have taken effect.
   */
  readonly hasNoResponse?: true
  /** Why none arrived. Recordings do not know it, since the client may have ended the request. */
  readonly failure?: string | undefined
  readonly intent?: Intent
}

/** A delivery to a receiver, with the status that it returned. */
export interface RecordedDelivery {
  readonly type: 'delivery'
  readonly completeAt: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly status: number
}

/** What the clock of the service showed, after a look at it or a move of it. */
export interface ClockMove {
  readonly type: 'clock'
  readonly completeAt: number
  /** Milliseconds since 1970, by the clock of the service. */
  readonly now: number
}

/** A sandbox lost its records and tokens, and has the clock of its machine. */
export interface Reset {
  readonly type: 'reset'
  readonly completeAt: number
}

/**
 * What the accounts of a sandbox hold, as decimal strings by their ids, and how its last transfers
 * ended.
 */
export interface ShownBalances {
  readonly type: 'balances'
  readonly sentAt: number
  readonly completeAt: number
  readonly accounts: Readonly<Record<string, string>>
  readonly rejected: readonly string[]
  /** Whether a transfer has not ended. Its amount is set aside. */
  readonly isPending: boolean
}

/** Milliseconds since 1970, with fractions, which order events of one millisecond. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/** What any source reports: a plan, a HAR file, a proxy, or a file of JSON lines. */
export type Recorded = RecordedExchange | RecordedDelivery | ClockMove | ShownBalances | Reset

/** An exchange, with all others that were on their way at the same time. */
export interface Placed<T extends Recorded = Recorded> {
  readonly event: T
  readonly beside: readonly RecordedExchange[]
}

export type History = ReturnType<typeof createHistory>

/**
 * So many events wait for a pending request. If more do, the oldest is passed on without what is beside
 * it.
 */
const MAX_WAITING = 1_000
/**
 * So many characters of bodies wait. If more do, the oldest event is passed on too. A thousand bodies of 2 MB would fill
 * the memory.
 */
const MAX_WAITING_CHARACTERS = 50_000_000
/** So many passed exchanges may be beside a later one. A request that hangs would keep all of them. */
const MAX_RECENT = 1_000
/**
 * Milliseconds for which events are passed on without a pause. To read a large response takes up to a second, and many may
 * have waited for one request.
 */
const MAX_TURN_MS = 50

/**
 * Puts events in the order of their completion. Passes each to `read` once no request is pending that was
 * sent before it, together with the exchanges that were on their way at the same time.
 *
 * @param postpone Runs a function later. Default: at once.
 * @param getMs Reads a clock in milliseconds, which says when it is time for a pause.
 */
export function createHistory(
  read: (placed: Placed) => void,
  postpone?: (work: () => void) => unknown,
  getMs: () => number = () => performance.now(),
) {
  /** When the pending requests were sent, in order. */
  const pending: number[] = []
  /** The events that are complete and not passed yet, in order. */
  const waiting: Recorded[] = []
  /** Whether waiting events will be passed on later. */
  let isPostponed = false
  /** The characters of the bodies that wait. */
  let waitingCharacters = 0
  /** The passed exchanges that a later one may overlap, without their responses, which are large. */
  let recent: RecordedExchange[] = []

  /**
   * Passes one event to `read`. An exchange is passed with all others that were on their way at the same
   * time (`beside`), of those that were passed shortly before (`recent`) and those that are still waiting.
   */
  function pass(event: Recorded): void {
    if (event.type !== 'exchange') {
      read({ event, beside: [] })
      return
    }
    const waitingExchanges = waiting.filter((other) => other.type === 'exchange')
    const beside = [...recent, ...waitingExchanges].filter((other) => overlap(other, event))
    recent.push(withoutResponse(event))
    read({ event, beside })
  }

  /**
   * Passes the waiting events to `read` that were complete before each pending request was sent: no event
   * can come before them any more. If too many wait, passes the oldest all the same.
   */
  function passOn(): void {
    passOnUntil(Number.POSITIVE_INFINITY)
  }

  /**
   * Does the same later and for a moment at a time, so that nothing else of the process waits for all of them. At once,
   * and for all of them, if nothing is postponed.
   */
  function passOnLater(): void {
    if (!postpone) {
      passOn()
      return
    }
    if (isPostponed) return

    isPostponed = true
    postpone(() => {
      isPostponed = false
      const isAnyLeft = passOnUntil(getMs() + MAX_TURN_MS)
      if (isAnyLeft) passOnLater()
    })
  }

  /** Passes at least one event on, and others until a time. Returns whether it is the turn of one more. */
  function passOnUntil(endMs: number): boolean {
    let hasPassed = false
    let isAnyLeft = false
    // The first one is always the next.
    for (let next = waiting[0]; next && canPass(next); next = waiting[0]) {
      isAnyLeft = hasPassed && getMs() >= endMs
      if (isAnyLeft) break

      hasPassed = true
      takeFirst()
      pass(next)
    }
    if (hasPassed) forgetOldExchanges()
    return isAnyLeft
  }

  /** Takes the first waiting event out of the list; undefined if none waits. */
  function takeFirst(): Recorded | undefined {
    const first = waiting.shift()
    if (first) waitingCharacters -= countCharacters(first)
    return first
  }

  /** Whether it is the turn of an event: it was complete before each pending request was sent, or too many wait. */
  function canPass(event: Recorded): boolean {
    const isInOrder = event.completeAt <= findOldestPending()
    return isInOrder || doTooManyWait()
  }

  function doTooManyWait(): boolean {
    return waiting.length > MAX_WAITING || waitingCharacters > MAX_WAITING_CHARACTERS
  }

  /** Keeps only the passed exchanges that may be beside a later one. Looks through all that wait. */
  function forgetOldExchanges(): void {
    const oldestStart = Math.min(findOldestPending(), ...waiting.map(readStart))
    recent = recent.filter(({ completeAt }) => completeAt > oldestStart).slice(-MAX_RECENT)
  }

  /** When the oldest pending request was sent: the list is in this order. */
  function findOldestPending(): number {
    return pending[0] ?? Number.POSITIVE_INFINITY
  }

  /** A request is no longer pending. */
  function endPending(sentAt: number): void {
    const index = pending.indexOf(sentAt)
    if (index !== -1) pending.splice(index, 1)
  }

  return {
    /**
     * Announces a request. The events that complete after this time wait until `add` or `forget`.
     */
    expect(sentAt: number): void {
      const index = pending.findLastIndex((earlier) => earlier <= sentAt)
      pending.splice(index + 1, 0, sentAt)
    },
    /** A request that will have no event. */
    forget(sentAt: number): void {
      endPending(sentAt)
      passOnLater()
    },
    /** Adds an event, which is passed on when it is its turn. */
    add(event: Recorded): void {
      if (event.type === 'exchange') endPending(event.sentAt)
      // Behind the events that were complete before it.
      const index = waiting.findLastIndex((earlier) => earlier.completeAt <= event.completeAt)
      waiting.splice(index + 1, 0, event)
      waitingCharacters += countCharacters(event)
      passOnLater()
      // Events may come faster than they are read later.
      while (doTooManyWait()) passOnUntil(Number.NEGATIVE_INFINITY)
    },
    /** Passes on what was postponed. */
    passOn,
    /** Passes on all events that wait. */
    end(): void {
      for (let event = takeFirst(); event; event = takeFirst()) pass(event)
      recent = []
    },
  }
}

/** An exchange as one that is beside another one: only its request and its times count. */
function withoutResponse({ response: _, ...exchange }: RecordedExchange): RecordedExchange {
  return exchange
}

/** Counts the characters of the bodies of an event. */
function countCharacters(event: Recorded): number {
  switch (event.type) {
    case 'exchange':
      return (event.request.body ?? '').length + (event.response?.text ?? '').length
    case 'delivery':
      return event.text.length
    default:
      return 0
  }
}

/** When an event started. Those without a request take no time. */
function readStart(event: Recorded): number {
  return event.type === 'exchange' ? event.sentAt : event.completeAt
}

/** An exchange, or what a plan sees of one. */
interface WithResponse {
  readonly response?: ReceivedResponse | undefined
}

/** The media type of a response without its parameters, in lower case; empty if it names none. */
export function mediaTypeOf({ response }: WithResponse): string {
  const [type = ''] = String(response?.headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** Whether a request only reads, so that it changes no record. */
export function isRead({ method }: Pick<SentRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a request may have a value in its body. */
export function mayContain({ body = '', unrecorded }: SentRequest, value: string): boolean {
  return unrecorded?.body !== undefined || body.includes(value)
}

/** Whether two exchanges were on their way at the same time. */
function overlap(one: RecordedExchange, other: RecordedExchange): boolean {
  if (one === other) return false
  return one.sentAt < other.completeAt && other.sentAt < one.completeAt
}

/**
 * Passes events that were recorded earlier to a history as if they happened now: each request is announced
 * at its start, and added at its end. Then ends the history.
 */
export function replay(events: readonly Recorded[], history: History): void {
  const steps: { readonly time: number; readonly take: () => void }[] = []
  for (const event of events) {
    if (event.type === 'exchange')
      steps.push({ time: event.sentAt, take: () => history.expect(event.sentAt) })
    steps.push({ time: event.completeAt, take: () => history.add(event) })
  }
  steps.sort((a, b) => a.time - b.time)
  for (const { take } of steps) take()
  history.end()
}
