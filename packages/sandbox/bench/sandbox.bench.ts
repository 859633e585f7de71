import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { connectTo, type Lane, newFile, ratesOf, run, runSandbox, type Send } from './load.ts'

const MOCK = new URL('cli.ts', import.meta.resolve('@partner-payments/mock')).href
const OURS = '@partner-payments/sandbox, one file'

const register = (send: Send) =>
  send('POST', '/partner/webhook', { type: 'all', url: 'https://partner.example.com/pix' })

const ids = new WeakMap<Send, string>()

const LANES: Readonly<Record<string, Lane>> = {
  // A partner has few webhooks, and the sandbox counts them.
  'createWebhook, then deleteWebhook': async (send) => {
    const { id } = await register(send)
    await send('DELETE', `/partner/webhook/${id}`)
  },
  getWebhook: async (send) => {
    const id = ids.get(send) ?? (await register(send)).id ?? ''
    ids.set(send, id)
    await send('GET', `/partner/webhook/${id}`)
  },
  checkKey: (send) => send('POST', '/pix/dict/check/', { dict_key: 'beltrana@example.com' }),
}

/**
 * Requests per second over loopback with ten connections, each server in its own process. The
 * sandbox stores its state in a file with an fsync per commit; the other servers are stateless.
 */
export const bench: Bench = {
  title: 'sandbox: requests over HTTP',
  run: async () => {
    const rates = await ratesOf(LANES, {
      [OURS]: await connectTo(runSandbox({ file: newFile() })),
      'Prism (packages/mock)': await connectTo(run(MOCK, ['--port', '0'])),
      'bare node:http': await connectTo(run(import.meta.resolve('@partner-payments/bench/bare'))),
    })
    return rates.flatMap(([title, rateOf]) => rowsOfLane(title, rateOf))
  },
}

/** The sandbox beside each other server. */
function rowsOfLane(title: string, rateOf: Readonly<Record<string, number>>): Row[] {
  const { [OURS]: ours = Number.NaN, ...others } = rateOf
  return Object.entries(others).flatMap(([peer, rate]) =>
    rowsOf(`${title}, beside ${peer}`, 'requests/s', { [OURS]: ours, [peer]: rate }),
  )
}
