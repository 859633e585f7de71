import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { type Lane, type Rate, ratesOf, type Server, startServer } from './load.ts'

const OURS = '@partner-payments/sandbox, one file'
const SERVERS = { [OURS]: 'sqlite', 'Prism (packages/mock)': 'prism', 'bare node:http': 'bare' }

const LANES: Readonly<Record<string, Lane>> = {
  'createWebhook, then getWebhook': async (send) => {
    const { id } = await send('POST', '/partner/webhook', {
      type: 'all',
      url: 'https://partner.example.com/pix',
    })
    await send('GET', `/partner/webhook/${id}`)
    return 2
  },
  createWebhook: async (send) => {
    await send('POST', '/partner/webhook', { type: 'all', url: 'https://partner.example.com/pix' })
    return 1
  },
  getWebhook: async (send) => {
    await send('GET', `/partner/webhook/${await known(send)}`)
    return 1
  },
  checkKey: async (send) => {
    await send('POST', '/pix/dict/check/', { dict_key: 'beltrana@example.com' })
    return 1
  },
}

const ids = new WeakMap<object, Promise<string>>()

/** Creates a webhook, and returns its id. */
function known(send: Parameters<Lane>[0]): Promise<string> {
  const id =
    ids.get(send) ??
    send('POST', '/partner/webhook', { type: 'all', url: 'https://partner.example.com/pix' }).then(
      ({ id = '' }) => id,
    )
  ids.set(send, id)
  return id
}

const ROUNDS = 5
const ROUND_MS = 700

/**
 * Requests per second over loopback with ten connections, each server in its own process. The sandbox stores its state
 * in a file with an fsync per commit; the other servers are stateless.
 */
export const bench: Bench = {
  title: 'sandbox: requests over HTTP',
  run: async () => {
    const servers = await Promise.all(
      Object.entries(SERVERS).map(([name, kind]) => startServer(name, [kind])),
    )
    try {
      const rows: Row[] = []
      for (const [title, lane] of Object.entries(LANES)) rows.push(...(await measure(title, lane, servers)))
      return rows
    } finally {
      for (const { stop } of servers) await stop()
    }
  },
}

async function measure(title: string, lane: Lane, servers: readonly Server[]): Promise<Row[]> {
  const rates = await ratesOf(lane, servers, { rounds: ROUNDS, ms: ROUND_MS })
  return rates.filter(({ name }) => name !== OURS).flatMap((peer) => rows(title, rates, peer))
}

/** The rows of the sandbox and one other server, with their ratio. */
function rows(title: string, rates: readonly Rate[], peer: Rate): Row[] {
  const both = rates.filter(({ name }) => name === OURS || name === peer.name)
  const values = Object.fromEntries(both.map(({ name, value }) => [name, value]))
  const what = { figure: `${title}, beside ${peer.name}`, unit: 'requests/s', better: 'higher' } as const
  return rowsOf(what, values, (subject) => subject === OURS)
}
