import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { type Lane, ratesOf, type Send, type Server, startServer } from './load.ts'

const OURS = '@partner-payments/sandbox, one file'
const SERVERS = { [OURS]: 'sqlite', 'Prism (packages/mock)': 'prism', 'bare node:http': 'bare' }

const register = (send: Send) =>
  send('POST', '/partner/webhook', { type: 'all', url: 'https://partner.example.com/pix' })

const ids = new WeakMap<Send, string>()

const LANES: Readonly<Record<string, Lane>> = {
  'createWebhook, then getWebhook': async (send) => {
    const { id } = await register(send)
    await send('GET', `/partner/webhook/${id}`)
    return 2
  },
  createWebhook: async (send) => {
    await register(send)
    return 1
  },
  getWebhook: async (send) => {
    const id = ids.get(send) ?? (await register(send)).id ?? ''
    ids.set(send, id)
    await send('GET', `/partner/webhook/${id}`)
    return 1
  },
  checkKey: async (send) => {
    await send('POST', '/pix/dict/check/', { dict_key: 'beltrana@example.com' })
    return 1
  },
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
    const entries = Object.entries(SERVERS)
    const servers = await Promise.all(entries.map(([name, kind]) => startServer(name, [kind])))
    try {
      const rows: Row[] = []
      for (const [title, lane] of Object.entries(LANES)) rows.push(...(await measure(title, lane, servers)))
      return rows
    } finally {
      for (const { stop } of servers) await stop()
    }
  },
}

/** The rows of the sandbox beside each other server. */
async function measure(title: string, lane: Lane, servers: readonly Server[]): Promise<Row[]> {
  const { [OURS]: ours = Number.NaN, ...others } = await ratesOf(lane, servers, {
    rounds: ROUNDS,
    ms: ROUND_MS,
  })
  return Object.entries(others).flatMap(([peer, rate]) => {
    const what = { figure: `${title}, beside ${peer}`, unit: 'requests/s', better: 'higher' } as const
    return rowsOf(what, { [OURS]: ours, [peer]: rate }, (subject) => subject === OURS)
  })
}
