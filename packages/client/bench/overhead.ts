import type { Connect, Connection } from './clients.ts'
import { keyFound } from './responses.ts'

const ROUNDS = 51
const CALLS = 1000

type Work = () => Promise<unknown>

/**
 * Microseconds that a POST takes with each client beyond an in-memory `fetch`; `alone` is the time of `fetch` itself. Each
 * figure is the best of alternating rounds, since other load only adds time.
 */
export async function overheads(
  connects: Record<string, Connect>,
): Promise<{ alone: number; beyond: Record<string, number> }> {
  const connection = { baseUrl: 'http://127.0.0.1:4010', token: 'token', fetch: async () => keyFound() }
  const fetchAlone = contestant('fetch', fetching(connection))
  const contestants = Object.entries(connects).map(([name, connect]) => {
    const client = connect(connection)
    return contestant(name, () => client.checkKey('beltrana@example.com'))
  })
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of [fetchAlone, ...contestants]) {
      each.best = Math.min(each.best, await microseconds(each.work))
    }
  }
  const beyond = contestants.map(({ name, best }) => [name, best - fetchAlone.best])
  return { alone: fetchAlone.best, beyond: Object.fromEntries(beyond) }
}

function contestant(name: string, work: Work) {
  return { name, work, best: Number.POSITIVE_INFINITY }
}

/** The same POST without a client. */
function fetching({ baseUrl, token, fetch }: Connection): Work {
  const url = `${baseUrl}/mobile-bff/v1/pix/dict/check/`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async () => {
    const body = JSON.stringify({ dict_key: 'beltrana@example.com' })
    return (await fetch(url, { method: 'POST', headers, body })).json()
  }
}

async function microseconds(work: Work): Promise<number> {
  const started = performance.now()
  for (let call = 0; call < CALLS; call++) await work()
  return ((performance.now() - started) * 1000) / CALLS
}
