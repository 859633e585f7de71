import { basic, CREDENTIALS, PREFIX, USERS } from '../faulty/fixtures.ts'
import { isJson, type Json } from '../faulty/json.ts'
import { listen } from '../faulty/listen.ts'
import type { Posted } from '../faulty/relay.ts'
import type { TestSandbox } from '../faulty/sandbox.ts'

/** A response. */
export interface Seen {
  readonly status: number
  readonly type: string | null
  readonly requestId: string | null
  readonly body: Json
}

/** Sends a request, written as method and path without the prefix. */
export type Actor = (line: string, body?: Json) => Promise<Seen>

/** A service and its callers. */
export interface Stage {
  readonly sandbox: TestSandbox
  readonly partner: Actor
  readonly other: Actor
  /** The partner, acting for its customer. */
  readonly customer: Actor
  by(authorization: string): Actor
  /** Advances the clock, and waits for the due work. */
  wait(seconds: number): Promise<void>
  /** Advances the clock to the next occurrence of a time in UTC, such as `01:30`. */
  waitUntil(time: string): Promise<void>
  /** Registers a webhook on this machine that responds with these statuses in order; the last one is repeated. */
  receive(who: Actor, type?: string, statuses?: readonly number[]): Promise<Inbox>
  close(): Promise<void>
}

export interface Inbox {
  /** The id of the webhook. */
  readonly id: string
  readonly secret: string
  readonly url: string
  readonly posted: Posted[]
}

type Fetch = (request: Request) => Promise<Response>

/** Prepares a service for the proof of a mutant. */
export async function openStage(sandbox: TestSandbox, fetch: Fetch): Promise<Stage> {
  const closing: (() => Promise<void>)[] = []
  const by =
    (authorization: string): Actor =>
    (line, body) =>
      seen(fetch, authorization, line, body)
  const wait = (seconds: number) => sandbox.app.worker.moveTo(sandbox.app.clock.now() + seconds * 1000)
  const partner = renewed(sandbox, () => by(basic(CREDENTIALS.partner))('POST /auth/partner/token/'), by)
  return {
    sandbox,
    partner,
    other: renewed(sandbox, () => by(basic(CREDENTIALS.other))('POST /auth/partner/token/'), by),
    customer: renewed(sandbox, () => partner('POST /auth/partner/impersonate/', USERS.partner), by),
    by,
    wait,
    waitUntil: (time) => wait(secondsUntil(time, sandbox.app.clock.now())),
    async receive(who, type = 'all', statuses = [200]) {
      const posted: Posted[] = []
      const { url, close } = await listen((request) => received(request, posted, statuses))
      closing.push(close)
      const { body } = await who('POST /partner/webhook', { type, url: `${url}/hook?of=1` })
      return { id: String(body.id), secret: String(body.secret), url: `${url}/hook?of=1`, posted }
    },
    async close() {
      await Promise.all(closing.map((it) => it()))
      await sandbox.close()
    },
  }
}

async function received(request: Request, posted: Posted[], statuses: readonly number[]): Promise<Response> {
  const headers = Object.fromEntries(request.headers)
  posted.push({ url: request.url, headers, body: await request.text() })
  return new Response(null, { status: statuses[Math.min(posted.length, statuses.length) - 1] ?? 200 })
}

/** Milliseconds that a token is used. It is valid for an hour. */
const KEPT = 3_000_000

/** A caller that signs in again before its token expires. */
function renewed({ app }: TestSandbox, signIn: () => Promise<Seen>, by: Stage['by']): Actor {
  let actor: Actor | undefined
  let until = 0
  return async (line, body) => {
    if (!actor || app.clock.now() > until) {
      actor = by(`Bearer ${(await signIn()).body.access_token}`)
      until = app.clock.now() + KEPT
    }
    return actor(line, body)
  }
}

async function seen(fetch: Fetch, authorization: string, line: string, body?: Json): Promise<Seen> {
  const [method = '', path = ''] = line.split(' ')
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
  const content = body ? JSON.stringify(body) : null
  const response = await fetch(
    new Request(`http://127.0.0.1${PREFIX}${path}`, { method, headers, body: content }),
  )
  const text = await response.text()
  const { headers: got, status } = response
  const [type, requestId] = [got.get('content-type'), got.get('x-request-id')]
  const parsed: unknown = type?.includes('json') && text ? JSON.parse(text) : { text }
  return { status, type, requestId, body: isJson(parsed) ? parsed : {} }
}

function secondsUntil(time: string, now: number): number {
  const today = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${time}:00Z`)
  return (today > now ? today - now : today + 86_400_000 - now) / 1000
}
