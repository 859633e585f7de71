import type { Contract } from '../model/contract.ts'
import { NotSent } from '../model/errors.ts'
import type { Exchange, Input, RequestIdentity } from '../model/exchange.ts'
import { type HttpRequest, type HttpResponse, lowerCaseNames, parsed } from '../model/http.ts'
import { JSON_TYPE } from '../model/media-types.ts'
import type { OperationView } from '../model/operation-view.ts'
import { requestPath } from '../model/paths.ts'
import type { Guard } from './guard.ts'
import type { Identities } from './identities.ts'
import type { ServiceClock } from './service-clock.ts'
import type { Transport } from './transport.ts'

/** Sends requests and passes every exchange to the observer. */
export interface Sender {
  send(view: OperationView | undefined, input: Input, options?: SendOptions): Promise<Exchange>
  /** Number of requests sent. */
  readonly count: number
  /** Waits for all pending responses. */
  idle(): Promise<void>
}

export interface SendOptions {
  /** Default: `partner`. */
  readonly identity?: RequestIdentity
  /** Overrides parts of the built request. */
  readonly raw?: Partial<HttpRequest>
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names of headers to leave out, in lower case. */
  readonly without?: readonly string[]
  /** Whether it removes a record of the run, which is allowed after an abort. */
  readonly isCleaning?: boolean
}

/** The sender of a request, and whether it is part of the cleanup. */
export interface RequestOrigin {
  readonly identity: RequestIdentity
  readonly isCleaning?: boolean
}

interface SenderOptions {
  readonly contract: Contract
  readonly transport: Transport
  readonly identities: Identities
  readonly guard: Guard
  /** Adds required parameters. Default: none. */
  readonly filled?: (view: OperationView, input: Input) => Input
  /** Why no request of an operation can be built; undefined if one can. Default: all can. */
  readonly unsendable?: (view: OperationView) => string | undefined
  readonly clock: Pick<ServiceClock, 'now'>
  /** Aborts pending reads. Other requests complete, because their responses tell the cleanup what to remove. */
  readonly signal?: AbortSignal
  /** Called with each exchange. */
  readonly observe: (exchange: Exchange, by: RequestOrigin) => void
}

/** Sign-ins per request. */
const MAX_SIGN_INS = 3

type PendingRequest = Pick<Exchange, 'view' | 'input' | 'request'>

export function createSender({
  transport,
  identities,
  guard,
  clock,
  observe,
  signal,
  filled = (_, input) => input,
  unsendable = () => undefined,
}: SenderOptions): Sender {
  let count = 0
  const pending = new Set<Promise<unknown>>()
  /** Operations that refuse every token, for which signing in again does not help. */
  const lost = new Set<OperationView | undefined>()

  async function exchanged(
    view: OperationView | undefined,
    input: Input,
    { identity = 'partner', raw = {}, headers = {}, without = [], isCleaning = false }: SendOptions,
  ): Promise<Exchange> {
    // Must come before a sign-in.
    if (signal?.aborted && !isCleaning) throw new NotSent('not sent: the run was ended')
    requireWhole(view, input, raw)
    const built = await requestOf(identities, view, view ? filled(view, input) : input, identity)
    const all = Object.entries({ ...built.headers, ...raw.headers, ...headers })
    const sent = all.filter(([name]) => !without.includes(name))
    const request = { ...built, ...raw, headers: Object.fromEntries(sent) }
    if (!isCleaning) guard(view, request)
    const exchange = await exchangeWithSignIn({ view, input, request }, { identity, isCleaning })
    if (exchange.response.status === 429 && !isCleaning) throw new NotSent('the service refused it with 429')
    return exchange
  }

  /** Throws `NotSent` if a required part is missing, unless the request is overridden. */
  function requireWhole(
    view: OperationView | undefined,
    { path = {} }: Input,
    raw: Partial<HttpRequest>,
  ): void {
    if (!view || raw.method !== undefined) return
    const why = unsendable(view)
    if (why !== undefined) throw new NotSent(why)
    const missing = view.pathParameters.find(({ name }) => path[name] === undefined)
    if (missing && raw.path === undefined)
      throw new NotSent(`not sent: no value of "${missing.name}" is known`)
  }

  /** Sends a request and passes the exchange to the observer. */
  async function once(pendingRequest: PendingRequest, by: RequestOrigin): Promise<Exchange> {
    count++
    const { request } = pendingRequest
    const response = await transport.send(
      request,
      /^(GET|HEAD)$/.test(request.method) && !by.isCleaning ? signal : undefined,
    )
    const seen = (it: HttpResponse): Exchange => ({
      ...pendingRequest,
      response: it,
      body: parsed(it),
      at: clock.now(),
    })
    // A copy, because tracking by identity must still see the original request as pending.
    if (response.limited && response.status !== 429)
      observe({ ...seen(response.limited), request: { ...request } }, by)
    const exchange = seen(response)
    identities.learn(exchange)
    observe(exchange, by)
    return exchange
  }

  /** Signs in again if a token expired early, for example because the clock was moved. */
  async function exchangeWithSignIn(pendingRequest: PendingRequest, by: RequestOrigin): Promise<Exchange> {
    let exchange = await once(pendingRequest, by)
    const { view } = pendingRequest
    for (let time = 0; time < MAX_SIGN_INS && exchange.response.status === 401; time++) {
      const { headers } = exchange.request
      const authorization = lost.has(view)
        ? undefined
        : await identities.renewedHeader(by.identity, headers.authorization)
      if (authorization === undefined) return exchange
      const request = { ...pendingRequest.request, headers: { ...headers, authorization } }
      if (!by.isCleaning) guard(view, request)
      exchange = await once({ ...pendingRequest, request }, by)
    }
    if (exchange.response.status === 401) lost.add(view)
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

async function requestOf(
  identities: Identities,
  view: OperationView | undefined,
  input: Input,
  identity: RequestIdentity,
): Promise<HttpRequest> {
  const authorization = await identities.headerOf(identity, view)
  const { body } = input
  return {
    method: view?.method ?? 'GET',
    path: requestPath(view ?? { path: '/' }, input),
    headers: {
      accept: JSON_TYPE,
      ...lowerCaseNames(input.headers),
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': view?.bodyType ?? JSON_TYPE }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}
