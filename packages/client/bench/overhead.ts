import { keyFound } from './answers.ts'
import type { Connect, Connection } from './client.ts'

const ROUNDS = 31
const CALLS = 1000

type Work = () => Promise<unknown>

/**
 * Microseconds that a POST takes with each client beyond `fetch` alone, which answers at once, from memory: the
 * median over rounds of the difference within a round, so that what else the machine does falls on both. `alone`
 * is the median of `fetch` itself.
 */
export async function overheads(
  connects: Record<string, Connect>,
): Promise<{ alone: number; beyond: Record<string, number> }> {
  const connection = { baseUrl: 'http://127.0.0.1:4010', token: 'token', fetch: async () => keyFound() }
  const fetchAlone = fetching(connection)
  const works = Object.entries(connects).map(([name, connect]) => {
    const client = connect(connection)
    return { name, work: () => client.checkKey('beltrana@example.com'), beyond: [] as number[] }
  })
  const alone: number[] = []
  for (let round = -3; round < ROUNDS; round++) {
    const base = await microseconds(fetchAlone)
    if (round >= 0) alone.push(base)
    for (const { work, beyond } of works) {
      const taken = await microseconds(work)
      if (round >= 0) beyond.push(taken - base)
    }
  }
  return {
    alone: median(alone),
    beyond: Object.fromEntries(works.map(({ name, beyond }) => [name, median(beyond)])),
  }
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
