import { encode } from '@partner-payments/brcode'
import type { App } from '../src/app.ts'
import { type Caller, issueTokens } from '../src/auth/tokens.ts'
import { ACCOUNTS, PARTNERS, type SeededAccount, USERS } from '../src/seed/data.ts'
import { addSeededAccount } from '../src/seed/seed.ts'
import type { Service } from '../src/service/service.ts'

/** The control API accepts only hosts of this machine. */
export const ORIGIN = 'http://127.0.0.1:4020'
/** Prefix of most paths of the contract. */
export const PREFIX = '/mobile-bff/v1'
const ROOT = '/mobile-bff/'

/** A request, besides its method and path. */
export interface Sent {
  readonly authorization?: string | undefined
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with its body read. */
// biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it expects.
export interface ParsedResponse<Body = any> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

/** Sends requests to a service: at a path of the contract, or at one below {@link PREFIX}. */
export type Ask = (method: string, path: string, sent?: Sent) => Promise<ParsedResponse>

export function createAsker(service: Service, authorization?: string): Ask {
  return async (method, path, sent = {}) => {
    const whole = path.startsWith(ROOT) ? path : PREFIX + path
    const request = createRequest(method, whole, { authorization, ...sent })
    return parseResponse(await service(request))
  }
}

/** Creates a request as a client would send it. */
export function createRequest(
  method: string,
  path: string,
  { authorization, body, headers }: Sent,
): Request {
  const allHeaders: Record<string, string> = {}
  if (authorization !== undefined) allHeaders.authorization = authorization
  if (body !== undefined) allHeaders['content-type'] = 'application/json'
  Object.assign(allHeaders, headers)

  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  // A Request accepts bytes too, which the cast hides.
  const rawBody = isRaw ? (body as string) : JSON.stringify(body)
  return new Request(ORIGIN + path, { method, headers: allHeaders, body: rawBody ?? null })
}

export async function parseResponse(response: Response): Promise<ParsedResponse> {
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/**
 * The status, and of a refusal its code and the invalid fields, as `422 invalid_charge /amount`.
 */
export function summarize({ status, body }: Pick<ParsedResponse, 'status' | 'body'>): string {
  const parts = [String(status)]
  if (body?.code) parts.push(body.code)
  for (const { pointer } of body?.errors ?? []) parts.push(pointer)
  return parts.join(' ')
}

export function basic(key: string, secret: string): string {
  return `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
}

/** A partner, another partner, and the customer of the first. */
const CALLERS = {
  partner: callerOf(PARTNERS[0]),
  other: callerOf(PARTNERS[1]),
  customer: callerOf(
    { ...PARTNERS[0], account_id: USERS[0].customer.account_id },
    USERS[0].customer.id,
  ),
}
type Name = keyof typeof CALLERS

export type Callers = Awaited<ReturnType<typeof signInCallers>>

/** Signs all callers in. */
export async function signInCallers(sandbox: App) {
  const partner = await issueToken(sandbox)
  const other = await issueToken(sandbox, 'other')
  const customer = await issueToken(sandbox, 'customer')
  return {
    partner: createAsker(sandbox.service, partner),
    other: createAsker(sandbox.service, other),
    customer: createAsker(sandbox.service, customer),
    tokens: { partner, other, customer },
  }
}

/** The Authorization header of a caller. */
export async function issueToken(
  { store, context }: App,
  caller: Caller | Name = 'partner',
): Promise<string> {
  const owner = typeof caller === 'string' ? CALLERS[caller] : caller
  const tokens = await store.write((queries) => issueTokens(queries, context, owner))
  return `Bearer ${tokens.access_token}`
}

export async function signInPartner(sandbox: App): Promise<Ask> {
  return createAsker(sandbox.service, await issueToken(sandbox))
}

function callerOf(
  owner: { id: string; account_id: string },
  customer_id: string | null = null,
): Caller {
  return { partner_id: owner.id, customer_id, account_id: owner.account_id }
}

/** A tx_id that no other test uses. */
export function newTxId(): string {
  return `PEDIDO${String(++count).padStart(24, '0')}`
}

let count = 0

/** A customer with its own account, and an Authorization header that acts for it. */
export type Payer = Awaited<ReturnType<typeof newPayer>>

/** Opens an account with this many centavos. */
export async function newPayer(sandbox: App, centavos: bigint) {
  const { store, context } = sandbox
  const account_id = crypto.randomUUID()
  const account = { ...FULANO, id: account_id, opening: centavos }
  await store.write((queries) => addSeededAccount(queries, context, account))

  return { account_id, token: await issueToken(sandbox, { ...CALLERS.customer, account_id }) }
}

const FULANO = ACCOUNTS.find(({ id }) => id === CALLERS.customer.account_id) as SeededAccount

export async function readBalance(sandbox: App, account_id: string): Promise<bigint | undefined> {
  const sql = 'SELECT balance FROM accounts WHERE id = ?'
  const [account] = await readRows<{ balance: bigint }>(sandbox, sql, [account_id])
  return account?.balance
}

/** How often each status occurred. */
export function tally(responses: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export function times(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}

/** Whom a charge names. */
export const DEBTOR = { name: 'Fulano de Tal', tax_id: '12345678909' }

export const SHOP = { merchantName: 'Padaria Exemplo', merchantCity: 'BRASILIA' }

/** A static code without an amount. */
export const STATIC = encode({ ...SHOP, key: '11222333000181' })

/** A payment of a code, by default R$ 1.00 for the static one. */
export function payment(emv = STATIC, amount = '1.00') {
  return ['POST', '/pix/out/', { body: { type: 'emv', emv, amount } }] as const
}

/** The rows that a statement selects. */
export function readRows<Row extends object>(
  { store }: App,
  sql: string,
  values: readonly (string | number)[] = [],
): Promise<Row[]> {
  return store.read((queries) => queries.all<Row>(sql, [...values]))
}
