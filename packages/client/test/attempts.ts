import type { Attempt, Fetch } from '../src/index.ts'

const PAYMENT: Attempt = {
  operationId: 'createTransfer',
  effect: 'once',
  method: 'POST',
  path: '/mobile-bff/v1/pix/out/',
  number: 1,
}

/** Sends an attempt, by default a payment, as the client does. */
export function attempt(fetch: Fetch, init: RequestInit = {}, own: Partial<Attempt> & { url?: string } = {}) {
  const { url = 'https://pix.example.com/mobile-bff/v1/pix/out/', ...rest } = own
  return fetch(url, { signal: new AbortController().signal, ...init }, { ...PAYMENT, ...rest })
}

export function responseOf(status: number, data?: unknown, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : JSON.stringify(data), { status, headers })
}

interface Sent {
  readonly url: string
  readonly init: RequestInit
}

interface Recorder {
  readonly fetch: Fetch
  /** The requests so far. */
  readonly sent: readonly Sent[]
}

/** A fetch that returns the outcomes in turn and repeats the last one; it throws an outcome that is an error. */
export function fetchOf(...outcomes: (Response | Error)[]): Recorder {
  const sent: Sent[] = []
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, init })
    const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0]
    if (!outcome || outcome instanceof Error) throw outcome
    return outcome.clone()
  }
  return { fetch, sent }
}

/** A clock whose waits end at once; each call of `now` adds a millisecond. */
export function hastyClock() {
  let now = 0
  const after = (_: number, wake: () => void) => {
    const timer = setImmediate(wake)
    return () => clearImmediate(timer)
  }
  return { now: () => now++, after }
}
