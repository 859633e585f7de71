import { encode } from '@partner-payments/brcode'
import { connect, type Send, UnexpectedResponse } from '../bench/load.ts'
import { USERS } from '../src/seed/data.ts'

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

/** Concurrent payments. */
const WORKERS = 8

const SHOP = { merchantName: 'Padaria Exemplo', merchantCity: 'BRASILIA' }
const STATIC = encode({ ...SHOP, key: '11222333000181' })
const REJECTED = encode({ ...SHOP, key: 'ac03@reject.example.com' })
const KEY = 'beltrana@example.com'

/**
 * Signs in, then pays by key, by static code and by charge on several connections, until the server
 * no longer responds.
 *
 * @param onAcknowledged receives the number of acknowledged transfers.
 */
export async function startLoad(url: string, onAcknowledged: (count: number) => void) {
  const loaded: Loaded = { acknowledged: [], unexpected: [] }
  const { send, close } = await connect(url)
  const customer = await authorizationOfCustomer(send)

  /** Pays until the server no longer responds. The workers start with different orders. */
  async function payOn(worker: number): Promise<void> {
    for (let i = worker; ; i++) {
      const amount = amountOf(i)
      try {
        // The remainder is an index of the list.
        const createOrder = ORDERS[i % ORDERS.length] as Ordering
        const order = await createOrder(send, customer, amount)
        const { id = '' } = await send('POST', '/pix/out/', { ...order, amount }, customer)
        loaded.acknowledged.push({ id, amount })
      } catch (error) {
        if (!(error instanceof UnexpectedResponse)) throw error
        loaded.unexpected.push(error.message)
      }
      onAcknowledged(loaded.acknowledged.length)
    }
  }

  const workers = Array.from({ length: WORKERS }, (_, worker) => payOn(worker))
  const ended = Promise.allSettled(workers).then(close)
  return { loaded: ended.then(() => loaded) }
}

async function authorizationOfCustomer(send: Send): Promise<string> {
  const [{ id: user_id, customer }] = USERS
  const body = { user_id, customer_id: customer.id }
  const { access_token } = await send('POST', '/auth/partner/impersonate/', body)
  return `Bearer ${access_token}`
}

/** From 0.01 to 0.99. */
function amountOf(i: number): string {
  const centavos = 1 + (i % 99)
  return `0.${String(centavos).padStart(2, '0')}`
}

type Ordering = (send: Send, customer: string, amount: string) => Promise<object>

const ORDERS: readonly Ordering[] = [
  async () => ({ type: 'emv', emv: STATIC }),
  async (send, customer) => {
    const { initiation_id } = await send('POST', '/pix/dict/check/', { dict_key: KEY }, customer)
    return { type: 'dict', dict_key: KEY, initiation_id }
  },
  async () => ({ type: 'emv', emv: REJECTED }),
  async (send, _, original) => {
    const tx_id = crypto.randomUUID().replaceAll('-', '')
    const charge = { dict_key: '12ABC34501DE35', tx_id, amount: { original } }
    const { emv } = await send('POST', '/pix/qrcode/dynamic/immediate', charge)
    return { type: 'emv', emv }
  },
]
