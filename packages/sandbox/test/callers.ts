import { PARTNERS, USERS } from '../src/seed/data.ts'
import type { Service } from '../src/service/service.ts'

/** The control API accepts only hosts of this machine. */
export const ORIGIN = 'http://127.0.0.1:4020'
/** Prefix of the paths of the contract. */
export const PREFIX = '/mobile-bff/v1'

/** A request, besides its method and path. */
export interface Sent {
  readonly authorization?: string | undefined
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with its body read. */
export interface ParsedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it expects.
  readonly body: any
}

/** Sends requests below {@link PREFIX} to a service. */
export type Ask = (method: string, path: string, sent?: Sent) => Promise<ParsedResponse>

export function askerOf(service: Service, authorization?: string): Ask {
  return async (method, path, sent = {}) =>
    parseResponse(await service(requestOf(method, PREFIX + path, { authorization, ...sent })))
}

/** Creates a request as a client would send it. */
export function requestOf(
  method: string,
  path: string,
  { authorization, body, headers = {} }: Sent,
): Request {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const all = {
    ...(authorization !== undefined && { authorization }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  // A Request accepts bytes too, which the cast hides.
  const raw = isRaw ? (body as string) : JSON.stringify(body)
  return new Request(ORIGIN + path, { method, headers: all, body: raw ?? null })
}

export async function parseResponse(response: Response): Promise<ParsedResponse> {
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

export function basic(key: string, secret: string): string {
  return `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
}

/** The callers: a partner, another partner, and the customer of the first. */
export interface Callers {
  readonly partner: Ask
  readonly other: Ask
  readonly customer: Ask
  /** Their Authorization headers. */
  readonly tokens: Readonly<Record<'partner' | 'other' | 'customer', string>>
}

/** Signs all callers in. */
export async function callersOf(service: Service): Promise<Callers> {
  const ask = askerOf(service)
  const [one, two] = PARTNERS
  const partner = await bearerOf(ask, basic(one.client_key, one.client_secret))
  const other = await bearerOf(ask, basic(two.client_key, two.client_secret))
  const customer = await bearerFor(askerOf(service, partner))
  const tokens = { partner, other, customer }
  return {
    partner: askerOf(service, partner),
    other: askerOf(service, other),
    customer: askerOf(service, customer),
    tokens,
  }
}

async function bearerOf(ask: Ask, authorization: string): Promise<string> {
  const { body } = await ask('POST', '/auth/partner/token/', { authorization })
  return `Bearer ${body.access_token}`
}

async function bearerFor(ask: Ask): Promise<string> {
  const [user] = USERS
  const body = { user_id: user.id, customer_id: user.customer.id }
  return `Bearer ${(await ask('POST', '/auth/partner/impersonate/', { body })).body.access_token}`
}

/** A tx_id that no other test uses. */
export function newTxId(): string {
  return `PEDIDO${String(++count).padStart(24, '0')}`
}

let count = 0
