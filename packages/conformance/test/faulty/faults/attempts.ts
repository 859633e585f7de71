import { request } from 'undici'
import type { Faults } from '../fault.ts'
import type { Posted, Send } from '../relay.ts'
import type { Relay } from '../sandbox.ts'

const retried = ['deliveries-retried'] as const
const once = ['deliveries-retried'] as const

/** Too few, too many, or changed delivery attempts. */
export const attempts: Faults = {
  'timestamp-of-the-first-attempt': {
    rule: [...retried, 'deliveries-signed'],
    describe: 'Each attempt has the timestamp of the first.',
    relay: remembering((first, posted) => ({ ...posted, headers: first.headers })),
  },
  'second-attempt-signed-as-the-first': {
    rule: [...retried, 'deliveries-signed'],
    describe: 'Each attempt has a timestamp of its own, and the signature of the first.',
    relay: remembering((first, posted) => ({
      ...posted,
      headers: { ...posted.headers, 'webhook-signature': first.headers['webhook-signature'] ?? '' },
    })),
  },
  'not-retried-after-429': {
    rule: retried,
    describe: 'A delivery with a 429 response is not retried.',
    relay: takenAsDone((status) => status === 429),
  },
  'not-retried-after-4xx': {
    rule: retried,
    describe: 'A delivery with a 404 response is not retried.',
    relay: takenAsDone((status) => status === 404),
  },
  'not-retried-after-503': {
    rule: retried,
    describe: 'A delivery with a 503 response is not retried.',
    relay: takenAsDone((status) => status === 503),
  },
  'not-retried-without-an-answer': {
    rule: retried,
    describe: 'A delivery whose connection breaks is not tried again.',
    relay: (posted, send) => send(posted).catch(() => 200),
  },
  'redirect-taken-as-done': {
    rule: retried,
    describe: 'A delivery with a redirect response counts as a success.',
    relay: takenAsDone((status) => status >= 300 && status < 400),
  },
  'redirect-followed': {
    rule: retried,
    describe: 'A delivery goes where a redirect leads.',
    relay: following,
  },
  'retried-after-202': {
    rule: once,
    describe: 'A delivery with a 202 response is sent again.',
    relay: async (posted, send) => ((await send(posted)) === 202 ? 500 : 204),
  },
  'slow-receiver-given-up': {
    rule: once,
    describe: 'A delivery whose receiver takes half a second is sent again.',
    relay: (posted, send) => Promise.race([send(posted), later(500, 504)]),
  },
  'retried-after-deletion': {
    rule: ['deliveries-retried'],
    describe: 'What was to be tried again is, though the webhook was deleted meanwhile.',
    relay: tryingByItself,
  },
}

/** Changes later attempts by means of the first one. */
function remembering(remade: (first: Posted, posted: Posted) => Posted): Relay {
  const first = new Map<string, Posted>()
  return (posted, send) => {
    const key = `${posted.url} ${posted.headers['webhook-id']}`
    const known = first.get(key)
    if (!known) first.set(key, posted)
    return send(known ? remade(known, posted) : posted)
  }
}

function takenAsDone(test: (status: number) => boolean): Relay {
  return async (posted, send) => {
    const status = await send(posted)
    return test(status) ? 204 : status
  }
}

async function following({ url, headers, body }: Posted): Promise<number> {
  const response = await request(url, { method: 'POST', headers, body, reset: true })
  await response.body.dump()
  const { location } = response.headers
  if (typeof location !== 'string') return response.statusCode
  const second = await request(new URL(location, url), { method: 'POST', headers, body, reset: true })
  await second.body.dump()
  return second.statusCode
}

function later(ms: number, status: number): Promise<number> {
  return new Promise((resolve) => setTimeout(resolve, ms, status))
}

/** Retries once by itself, after a second. */
async function tryingByItself(posted: Posted, send: Send): Promise<number> {
  const status = await send(posted).catch(() => 500)
  if (status < 400) return status
  setTimeout(() => void send(posted).catch(() => 0), 1_000)
  return 204
}
