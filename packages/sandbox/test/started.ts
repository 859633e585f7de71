import { createPayments, HttpError } from '@partner-payments/client'
import { onTestFinished } from 'vitest'
import type { AppOptions } from '../src/app.ts'
import type { Schemas } from '../src/contract.ts'
import type { State } from '../src/control/state.ts'
import { USERS } from '../src/seed/data.ts'
import { serve } from '../src/serve.ts'
import { ORIGIN, type ParsedResponse, parseResponse, summarize } from './callers.ts'
import { receiver } from './receiver.ts'

/**
 * A sandbox on its own port, with clients of its callers, a receiver, and helpers for its control
 * API.
 */
export type Started = Awaited<ReturnType<typeof start>>

/** Starts a sandbox that checks each of its responses against the contract. */
export async function start(options: AppOptions = {}) {
  const defaults = { port: 0, checksResponses: true, allowLoopback: true, limitOf: NEVER }
  const [app, shop] = await Promise.all([serve({ ...defaults, ...options }), receiver()])

  const createClient = (clientKey: string) =>
    createPayments({
      baseUrl: app.url,
      auth: { ...AUTH, clientKey },
      fetch: (url, init) => app.service(new Request(url, init)),
      retries: 0,
    })

  /** `control('POST', '/clock', { freeze: true })` */
  const control = async <Body = Schemas['Problem']>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<ParsedResponse<Body>> => {
    const init: RequestInit = { method }
    if (body !== undefined) {
      init.headers = { 'content-type': 'application/json' }
      init.body = JSON.stringify(body)
    }
    return parseResponse(await app.fetch(new Request(`${ORIGIN}/_sandbox${path}`, init)))
  }

  let closed: Promise<void> | undefined
  /** Closes once, however often it is called. */
  const closeIn = (graceMs: number) => {
    closed ??= app.close(graceMs).then(shop.close)
    return closed
  }

  const partner = createClient(AUTH.clientKey)
  const [user] = USERS

  return {
    ...app,
    shop,
    control,
    partner,
    other: createClient('other'),
    /** The customer of the partner. */
    customer: partner.as({ user_id: user.id, customer_id: user.customer.id }),
    state: async () => (await control<State>('GET', '/state')).body,
    findings: async () => {
      const { body } = await control<{ findings: string[] }>('GET', '/reconcile')
      return body.findings
    },
    /** Advances the clock by seconds, after the work that is due. */
    advance: (advance_seconds: number) => control('POST', '/clock', { advance_seconds }),
    /** Advances the clock to a moment, and finishes all work that becomes due on the way. */
    at: (moment: string | number) => app.worker.moveTo(new Date(moment).getTime()),
    /** Makes a transfer to a key. */
    pay: async (amount = '1.00', dict_key = 'beltrana@example.com') => {
      const payee = await partner.keys.check(dict_key)
      return payee.pay({ amount })
    },
    /** The partner registers webhooks. Their order is that of their deliveries. */
    register: async (...urls: readonly string[]) => {
      for (const url of urls) await partner.webhooks.create({ type: 'transfer', url })
    },
    /** Cuts nothing, so whatever keeps the server from closing fails the test. */
    close: () => closeIn(60_000),
    /** Closes, and cuts what is in progress. */
    cut: () => closeIn(0),
  }
}

/** Of the partner. */
export const AUTH = { clientKey: 'partner', clientSecret: 'secret' }

/** Tests wait without a limit, however slow the machine is. */
const NEVER = () => new AbortController().signal

/** Starts a sandbox that settles at once, until the end of the test. */
export async function openSandbox(options: AppOptions = {}): Promise<Started> {
  const sandbox = await start({ settleAfterMs: 0, limitsRates: false, ...options })
  onTestFinished(sandbox.cut)
  return sandbox
}

/** A Monday, 9:00 in Brasília. */
export const MONDAY = Date.parse('2026-11-23T12:00:00Z')

/** Starts a sandbox whose clock is frozen on a Monday. */
export async function startOnMonday(): Promise<Started> {
  const sandbox = await start({ now: () => MONDAY })
  sandbox.clock.freeze()
  return sandbox
}

/** The summary of a call that is refused, as {@link summarize} writes it. */
export async function refusal(call: PromiseLike<unknown>): Promise<string> {
  const { status, problem } = await catchError(call)
  return summarize({ status, body: problem })
}

/** What a refusal says of the first invalid field, or else of the request. */
export async function readDetail(call: PromiseLike<unknown>): Promise<string> {
  const { problem } = await catchError(call)
  const [first] = problem?.errors ?? []
  return first?.detail ?? problem?.detail ?? ''
}

async function catchError(call: PromiseLike<unknown>): Promise<HttpError> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return error
  }
  throw new Error('the call was not refused')
}
