import { type ClientOptions, createClient, createPayments } from '../src/index.ts'

/** A request as it reached the service. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal: AbortSignal
}

type Answer = (sent: Sent, count: number) => Response | Error | Promise<Response>

/**
 * A service in one function, to be given as `fetch`. It signs in on its own, with tokens that are numbered; `answer`
 * sees every other request, and counts them from 1. An error that it gives is what `fetch` rejects with.
 */
export function service(answer: Answer, options: Partial<ClientOptions> = {}) {
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
    const given = await answer(request, sent.push(request))
    if (given instanceof Error) throw given
    return given
  }
  const all = { baseUrl: 'https://pay.example', auth: SECRET, random: () => 0, fetch, ...options }
  const payments = createPayments(all)
  return { payments, api: createClient(payments.transport), sent, tokens, fetch, options: all }
}

export const SECRET = { clientKey: 'key', clientSecret: 'secret' }
export const WHO = {
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

/** What `fetch` of Node rejects with: the cause carries the code. */
export function broken(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

/** An answer that does not come; it ends with the signal where `listens`. */
export function silence({ signal }: Sent, listens = true): Promise<Response> {
  return new Promise((_, reject) => {
    if (listens) signal.addEventListener('abort', () => reject(signal.reason))
  })
}
