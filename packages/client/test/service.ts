import { parseJson } from '../src/body.ts'
import {
  type Attempt,
  type ClientOptions,
  createClient,
  createPayments,
  createSafeFetch,
  type Fetch,
} from '../src/index.ts'
import { START } from './clock.ts'

/** A request as the service received it. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal: AbortSignal
  /** As `fetch` received it. */
  readonly init: RequestInit
  /** Milliseconds since the start of a test clock. */
  readonly at: number
}

export type Responder = (sent: Sent, count: number) => Response | Error | Promise<Response>

/**
 * A fake service and the clients that use it as `fetch`. `signIn` receives the requests for tokens,
 * which it numbers, and `respond` every other request with its number from 1. If it returns an
 * error, `fetch` rejects with it.
 */
export function service(
  respond: Responder,
  options: Partial<ClientOptions> = {},
  signIn = numbered,
) {
  const sent: Sent[] = []
  const tokens: Sent[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url)
    const request = {
      method: init.method ?? '',
      path: pathname + search,
      headers: { ...(init.headers as Record<string, string>) },
      body: parseJson(String(init.body ?? '')),
      signal: init.signal as AbortSignal,
      init,
      at: (options.clock?.now() ?? START) - START,
    }
    const isSignIn = pathname.includes('/auth/')
    const received = isSignIn ? tokens : sent
    const respondTo = isSignIn ? signIn : respond
    const outcome = await respondTo(request, received.push(request))
    if (outcome instanceof Error) throw outcome
    return outcome
  }

  const allOptions = {
    baseUrl: 'https://pay.example',
    auth: SECRET,
    random: () => 0,
    fetch,
    ...options,
  }
  const payments = createPayments(allOptions)
  return {
    payments,
    api: createClient(payments),
    safeFetch: createSafeFetch(payments),
    sent,
    tokens,
    fetch,
    options: allOptions,
  }
}

const numbered: Responder = (_, count) => json(tokenSet(`token-${count}`))

/** Returns the outcomes in turn; the last one repeats. */
export function inTurn(...outcomes: (Response | Error)[]): Responder {
  return () => {
    const isLast = outcomes.length === 1
    const outcome = (isLast ? outcomes[0] : outcomes.shift()) as Response | Error
    return outcome instanceof Error ? outcome : outcome.clone()
  }
}

/** Sends an attempt, by default a payment, as the client does. */
export function attempt(
  fetch: Fetch,
  init: RequestInit = {},
  own: Partial<Attempt> & { url?: string } = {},
) {
  const path = '/mobile-bff/v1/pix/out/'
  const { url = `https://pay.example${path}`, ...changes } = own
  const payment: Attempt = {
    operationId: 'createTransfer',
    effect: 'once',
    method: 'POST',
    path,
    number: 1,
  }
  const { signal } = new AbortController()
  return fetch(url, { signal, ...init }, { ...payment, ...changes })
}

export const TOKEN = { token: () => 't' }
export const SECRET = { clientKey: 'key', clientSecret: 'secret' }
/** The response of `users.list` and `users.get`, with the essential fields of both. */
export const USERS = { user_id: 'u', users: [], customers: [] }
/** Has the essential fields of the operations of webhooks and static codes. */
export const RECORD = {
  id: 'r',
  url: 'https://shop.example/hooks',
  status: 'active',
  secret: 's',
  emv: '000201',
  data: [],
}
/** A key that was looked up, which {@link TRANSFER} pays. */
export const KEY = {
  dict_key: 'a@example.com',
  initiation_id: 'ini_1',
  owner_name: 'Beltrana de Tal',
}
export const CUSTOMER = {
  customer_id: 'd2c1d0f4-0d1c-4a9f-8c76-0ce4c7b2a001',
  user_id: 'd2c1d0f4-0d1c-4a9f-8c76-0ce4c7b2a002',
}
export const TRANSFER = {
  type: 'dict',
  amount: '10.50',
  initiation_id: 'ini_1',
  dict_key: 'a@example.com',
} as const

/** A transfer that was made, with its essential fields. */
export const SETTLED = { id: 't', status: 'settled', data: { amount: TRANSFER.amount } }

/** Makes the transfer that was sent. */
export function settle({ body }: Pick<Sent, 'body'>): Response {
  const { amount } = body as { readonly amount: string }
  return json({ ...SETTLED, data: { amount } }, 201)
}

export function tokenSet(access_token: string, expiration = 3600) {
  return { access_token, refresh_token: 'refresh', expiration, type: 'Bearer' }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body)
  const length = String(new TextEncoder().encode(text).length)
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  })
}

export function problem(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  const body = {
    type: 'about:blank',
    title: 'Refused',
    status,
    detail: '',
    code,
    request_id: 'req_1',
  }
  return json(body, status, {
    'content-type': 'application/problem+json',
    'x-request-id': 'req_1',
    ...headers,
  })
}

/** The error of Node's `fetch`: its cause has the code. */
export function broken(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

/** A response that never arrives. Rejects on abort if `listens`. */
export function noResponse({ signal }: Sent, listens = true): Promise<Response> {
  return new Promise((_, reject) => {
    if (listens) signal.addEventListener('abort', () => reject(signal.reason))
  })
}
