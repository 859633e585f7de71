import type { Contract, OperationView } from './contract.ts'
import { type Exchange, type Input, parsed, pathOf, type Who } from './exchange.ts'
import { type Guard, NotSent } from './guard.ts'
import type { Identities } from './identities.ts'
import type { Call, Wire } from './wire.ts'

/** Sends requests, and has every answer judged. */
export interface Sender {
  send(view: OperationView | undefined, input: Input, options?: SendOptions): Promise<Exchange>
  /** Requests sent. */
  readonly count: number
  /** Waits for the answers of all that was sent. */
  idle(): Promise<void>
}

export interface SendOptions {
  /** Default: the partner. */
  readonly who?: Who
  /** Parts of the request to be sent instead of those that the input makes. */
  readonly raw?: Partial<Call>
  /** Headers besides. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it removes what the run made, which is done after an abort too. */
  readonly isCleaning?: boolean
}

/** Who sent a request, and whether it removes what the run made. */
export interface By {
  readonly who: Who
  readonly isCleaning?: boolean
}

interface SenderOptions {
  readonly contract: Contract
  readonly wire: Wire
  readonly identities: Identities
  readonly guard: Guard
  /** Abandons what is under way and changes nothing; the answer to the rest says what has to be removed. */
  readonly signal?: AbortSignal
  /** Told of each answer, and who asked. */
  readonly observe: (exchange: Exchange, by: By) => void
}

export function createSender({ wire, identities, guard, observe, signal }: SenderOptions): Sender {
  let count = 0
  const pending = new Set<Promise<unknown>>()

  async function exchanged(
    view: OperationView | undefined,
    input: Input,
    { who = 'partner', raw = {}, headers = {}, isCleaning = false }: SendOptions,
  ): Promise<Exchange> {
    // Before a token is asked for, too.
    if (signal?.aborted && !isCleaning) throw new NotSent('the run was ended')
    const made = await callOf(identities, view, input, who)
    const call = { ...made, ...raw, headers: { ...made.headers, ...raw.headers, ...headers } }
    if (!isCleaning) guard(view, call)
    count++
    const reply = await wire.send(call, /^(GET|HEAD)$/.test(call.method) && !isCleaning ? signal : undefined)
    const exchange = { view, input, call, reply, body: parsed(reply) }
    identities.learn(exchange)
    observe(exchange, { who, isCleaning })
    if (reply.status === 429 && !isCleaning) throw new NotSent('the service asked to be asked less')
    return exchange
  }

  return {
    get count() {
      return count
    },
    async idle() {
      while (pending.size > 0) await Promise.allSettled(pending)
    },
    send(view, input, options = {}) {
      const exchange = exchanged(view, input, options)
      const done = () => pending.delete(exchange)
      pending.add(exchange)
      exchange.then(done, done)
      return exchange
    },
  }
}

async function callOf(
  identities: Identities,
  view: OperationView | undefined,
  input: Input,
  who: Who,
): Promise<Call> {
  const authorization = await identities.headerOf(who, view)
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  return {
    method: view?.method ?? 'GET',
    path: view ? pathOf(view, input) : '/',
    headers: {
      accept: 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body,
  }
}
