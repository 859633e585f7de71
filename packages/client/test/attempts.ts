import type { Attempt, ClientOptions, Middleware, Reply } from '../src/index.ts'

/** An attempt as the engine makes it, a payment unless told otherwise. */
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

export function replyOf(status: number, data?: unknown, headers: Record<string, string> = {}): Reply {
  const text = status === 204 ? null : JSON.stringify(data)
  return { response: new Response(text, { status, headers }), data }
}

/** What a middleware makes of an attempt that is answered like this. */
export function run(middleware: Middleware, attempt: Attempt, reply: Reply): Promise<Reply> {
  return middleware(attempt, async () => reply)
}

interface Sent {
  readonly url: string
  readonly init: RequestInit
}

interface Recorder {
  readonly fetch: NonNullable<ClientOptions['fetch']>
  /** What was sent so far. */
  readonly sent: readonly Sent[]
}

/** A fetch that gives one answer after the other, the last one for ever; an error is thrown. */
export function fetchOf(...answers: (Reply | Error)[]): Recorder {
  const sent: Sent[] = []
  const fetch: Recorder['fetch'] = async (url, init) => {
    sent.push({ url, init })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer || answer instanceof Error) throw answer
    return answer.response.clone()
  }
  return { fetch, sent }
}

/** A clock whose waits are over at once; each look at it takes a millisecond. */
export function hastyClock() {
  let now = 0
  const after = (_: number, wake: () => void) => {
    const timer = setImmediate(wake)
    return () => clearImmediate(timer)
  }
  return { now: () => now++, after }
}
