import type { Connection } from './clients/connection.ts'
import type { Connect } from './clients.ts'
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
  const works = Object.entries(connects).map(([name, connect]): [string, Work] => {
    const client = connect(connection)
    return [name, () => client.checkKey('beltrana@example.com')]
  })
  works.unshift(['fetch', fetching(connection)])
  const best: Record<string, number> = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, work] of works) best[name] = Math.min(best[name] ?? Infinity, await microseconds(work))
  }
  const { fetch: alone = Number.NaN, ...others } = best
  const beyond = Object.entries(others).map(([name, time]) => [name, time - alone])
  return { alone, beyond: Object.fromEntries(beyond) }
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
