import type { Attempt, AttemptResult, ClientOptions, Middleware } from '../src/index.ts'

/** An attempt as the client creates it; by default a payment. */
export function attemptOf(own: Partial<Attempt> = {}): Attempt {
  return {
    operationId: 'createTransfer',
    effect: 'once',
    status: 200,
    takes: '-',
    method: 'POST',
    path: '/mobile-bff/v1/pix/out/',
    url: 'https://pix.example.com/mobile-bff/v1/pix/out/',
    headers: {},
    input: undefined,
    body: undefined,
    number: 1,
    signal: new AbortController().signal,
    ...own,
  }
}

export function resultOf(
  status: number,
  data?: unknown,
  headers: Record<string, string> = {},
): AttemptResult {
  const text = status === 204 ? null : JSON.stringify(data)
  return { response: new Response(text, { status, headers }), data }
}

/** Runs a middleware whose `next` returns `result`. */
export function run(middleware: Middleware, attempt: Attempt, result: AttemptResult): Promise<AttemptResult> {
  return middleware(attempt, async () => result)
}

interface Sent {
  readonly url: string
  readonly init: RequestInit
}

interface Recorder {
  readonly fetch: NonNullable<ClientOptions['fetch']>
  /** The requests so far. */
  readonly sent: readonly Sent[]
}

/** A fetch that returns the outcomes in turn and repeats the last one; it throws an outcome that is an error. */
export function fetchOf(...outcomes: (AttemptResult | Error)[]): Recorder {
  const sent: Sent[] = []
  const fetch: Recorder['fetch'] = async (url, init) => {
    sent.push({ url, init })
    const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0]
    if (!outcome || outcome instanceof Error) throw outcome
    return outcome.response.clone()
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
