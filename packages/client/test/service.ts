import { type ClientOptions, createClient, createPayments } from '../src/index.ts'

/** A request as the service received it. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal: AbortSignal
}

type Responder = (sent: Sent, count: number) => Response | Error | Promise<Response>

/**
 * A fake service and the clients that use it as `fetch`. Sign-ins return numbered tokens. `respond` receives every other
 * request with its number from 1. If it returns an error, `fetch` rejects with it.
 */
export function service(respond: Responder, options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const tokens: Sent[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url)
    const request = {
      method: init.method ?? '',
      path: pathname + search,
      headers: { ...(init.headers as Record<string, string>) },
      body: JSON.parse(String(init.body ?? '') || 'null') ?? undefined,
      signal: init.signal as AbortSignal,
    }
    if (pathname.includes('/auth/')) return json(tokenSet(`token-${tokens.push(request)}`))
    const outcome = await respond(request, sent.push(request))
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  const all = { baseUrl: 'https://pay.example', auth: SECRET, random: () => 0, fetch, ...options }
  const payments = createPayments(all)
  return { payments, api: createClient(payments), sent, tokens, fetch, options: all }
}

export const SECRET = { clientKey: 'key', clientSecret: 'secret' }
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

export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return json(
    { type: 'about:blank', title: 'Refused', status, detail: '', code, request_id: 'req_1' },
    status,
    {
      'content-type': 'application/problem+json',
      'x-request-id': 'req_1',
      ...headers,
    },
  )
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
