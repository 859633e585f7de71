import { request } from 'undici'
import type { Faults } from '../fault.ts'
import type { Posted, Send } from '../relay.ts'
import type { Relay } from '../world.ts'

const retried = ['deliveries-retried'] as const
const once = ['deliveries-retried'] as const

/** Attempts to deliver that are too few, too many, or not as the first. */
export const attempts = {
  'timestamp-of-the-first-attempt': {
    rule: [...retried, 'deliveries-signed'],
    describe: 'Each attempt has the timestamp of the first.',
    plant: { relay: remembering((first, posted) => ({ ...posted, headers: first.headers })) },
  },
  'second-attempt-signed-as-the-first': {
    rule: [...retried, 'deliveries-signed'],
    describe: 'Each attempt has a timestamp of its own, and the signature of the first.',
    plant: {
      relay: remembering((first, posted) => ({
        ...posted,
        headers: { ...posted.headers, 'webhook-signature': first.headers['webhook-signature'] ?? '' },
      })),
    },
  },
  'not-retried-after-429': {
    rule: retried,
    describe: 'A delivery that is answered 429 is not tried again.',
    plant: { relay: takenAsDone((status) => status === 429) },
  },
  'not-retried-after-4xx': {
    rule: retried,
    describe: 'A delivery that is answered 404 is not tried again.',
    plant: { relay: takenAsDone((status) => status === 404) },
  },
  'not-retried-after-503': {
    rule: retried,
    describe: 'A delivery that is answered 503 is not tried again.',
    plant: { relay: takenAsDone((status) => status === 503) },
  },
  'not-retried-without-an-answer': {
    rule: retried,
    describe: 'A delivery whose connection breaks is not tried again.',
    plant: { relay: (posted, send) => send(posted).catch(() => 200) },
  },
  'redirect-taken-as-done': {
    rule: retried,
    describe: 'A delivery that is answered with a redirect counts as taken.',
    plant: { relay: takenAsDone((status) => status >= 300 && status < 400) },
  },
  'redirect-followed': {
    rule: retried,
    describe: 'A delivery goes where a redirect leads.',
    plant: { relay: following },
  },
  'retried-after-202': {
    rule: once,
    describe: 'A delivery that is answered 202 is sent again.',
    plant: { relay: async (posted, send) => ((await send(posted)) === 202 ? 500 : 204) },
  },
  'slow-receiver-given-up': {
    rule: once,
    describe: 'A receiver that takes half a second is told again.',
    plant: { relay: (posted, send) => Promise.race([send(posted), later(500, 504)]) },
  },
  'retried-after-deletion': {
    rule: ['deliveries-retried'],
    describe: 'What was to be tried again is, though the webhook was deleted meanwhile.',
    plant: { relay: tryingByItself },
  },
} satisfies Faults

/** Makes later attempts of the first one. */
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
  const answer = await request(url, { method: 'POST', headers, body, reset: true })
  await answer.body.dump()
  const { location } = answer.headers
  if (typeof location !== 'string') return answer.statusCode
  const second = await request(new URL(location, url), { method: 'POST', headers, body, reset: true })
  await second.body.dump()
  return second.statusCode
}

function later(ms: number, status: number): Promise<number> {
  return new Promise((resolve) => setTimeout(resolve, ms, status))
}

/** Tries again by itself, once, after a second. */
async function tryingByItself(posted: Posted, send: Send): Promise<number> {
  const status = await send(posted).catch(() => 500)
  if (status < 400) return status
  setTimeout(() => void send(posted).catch(() => 0), 1_000)
  return 204
}
