import { encode } from '@partner-payments/brcode'
import { PARTNERS, USERS } from '../src/seed/data.ts'

/** A transfer with a 201 response. */
export interface Acknowledged {
  readonly id: string
  /** As a decimal string of the contract. */
  readonly amount: string
}

/** What a load created, and responses that it must not get. */
export interface Loaded {
  readonly acknowledged: Acknowledged[]
  readonly unexpected: string[]
}

/** Concurrent connections. */
const CONNECTIONS = 8

const SHOP = { merchantName: 'Padaria Exemplo', merchantCity: 'BRASILIA' }
const STATIC = encode({ ...SHOP, key: 'vendas@padaria.example' })
const REJECTED = encode({ ...SHOP, key: 'ac03@reject.example.com' })
const KEY = 'beltrana@example.com'

/**
 * Pays by key, by static code and by charge on several connections, until the server no longer responds.
 *
 * @param onAcknowledged receives the number of acknowledged transfers.
 */
export async function load(
  url: string,
  tokens: Tokens,
  onAcknowledged: (count: number) => void,
): Promise<Loaded> {
  const loaded: Loaded = { acknowledged: [], unexpected: [] }
  const workers = Array.from({ length: CONNECTIONS }, async (_, i) => {
    for await (const _ of pay(url, tokens, loaded, i)) onAcknowledged(loaded.acknowledged.length)
  })
  await Promise.allSettled(workers)
  return loaded
}

type Tokens = { readonly partner: string; readonly customer: string }
type Body = Readonly<Record<string, string>>

/** Yields payments of different kinds. Rejects when the connection ends. */
async function* pay(
  url: string,
  tokens: Tokens,
  loaded: Loaded,
  worker: number,
): AsyncGenerator<void, never> {
  for (let i = worker; ; i++) {
    const amount = `0.${String(1 + (i % 99)).padStart(2, '0')}`
    const order = await (ORDERS[i % ORDERS.length] as Ordering)(url, tokens, amount)
    const { status, body } = await call(url, tokens.customer, '/pix/out/', { ...order, amount })
    if (status === 201) loaded.acknowledged.push({ id: String(body.id), amount })
    else loaded.unexpected.push(`${status} ${body.code}`)
    yield
  }
}

type Ordering = (url: string, tokens: Tokens, amount: string) => Promise<object>

const ORDERS: readonly Ordering[] = [
  async () => ({ type: 'emv', emv: STATIC }),
  async (url, { customer }) => {
    const { body } = await call(url, customer, '/pix/dict/check/', { dict_key: KEY })
    return { type: 'dict', dict_key: KEY, initiation_id: body.initiation_id }
  },
  async () => ({ type: 'emv', emv: REJECTED }),
  async (url, { partner }, original) => {
    const tx_id = crypto.randomUUID().replaceAll('-', '')
    const charge = { dict_key: '12ABC34501DE35', tx_id, amount: { original } }
    const { body } = await call(url, partner, '/pix/qrcode/dynamic/immediate', charge)
    return { type: 'emv', emv: body.emv }
  },
]

/** Signs the partner in, and impersonates its customer. */
export async function signIn(url: string): Promise<Tokens> {
  const [{ client_key, client_secret }] = PARTNERS
  const basic = `Basic ${btoa(`${client_key}:${client_secret}`)}`
  const { body } = await send(`${url}/mobile-bff/v1/auth/partner/token/`, basic)
  const partner = String(body.access_token)
  const [{ id: user_id, customer }] = USERS
  const both = { user_id, customer_id: customer.id }
  const customers = await call(url, partner, '/auth/partner/impersonate/', both)
  return { partner, customer: String(customers.body.access_token) }
}

function call(url: string, token: string, path: string, body: object) {
  return send(`${url}/mobile-bff/v1${path}`, `Bearer ${token}`, body)
}

async function send(
  url: string,
  authorization: string,
  body?: object,
): Promise<{ status: number; body: Body }> {
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(url, { method: 'POST', headers, body: body ? JSON.stringify(body) : null })
  return { status: response.status, body: (await response.json()) as Body }
}
