import { createPayments } from '@partner-payments/client'
import type { AppOptions } from '../src/app.ts'
import type { Schemas } from '../src/contract.ts'
import type { State } from '../src/control/state.ts'
import { serve } from '../src/serve.ts'
import { sharedPostgres } from './backends.ts'
import { type ParsedResponse, parseResponse } from './callers.ts'
import { receiver } from './receiver.ts'

/** A sandbox on its own port, with helpers for its control API. */
export type Started = Awaited<ReturnType<typeof start>>

/** Both kinds of storage, for tests that have no state of their own. */
export const BACKENDS = ['sqlite', 'postgres'] as const

export async function start(options: AppOptions = {}, backend: (typeof BACKENDS)[number] = 'sqlite') {
  const where = backend === 'postgres' && { databaseUrl: await sharedPostgres().newDatabase() }
  const defaults = { port: 0, checksResponses: true, allowLoopback: true, limitOf: NEVER, ...where }
  const [app, shop] = await Promise.all([serve({ ...defaults, ...options }), receiver()])
  const { url } = app
  /** A client of the partner, which checks every response against the contract. */
  const payments = createPayments({ baseUrl: url, auth: AUTH })
  /** `control('POST', '/clock', { freeze: true })` */
  const control = async <Body = Schemas['Problem']>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<ParsedResponse<Body>> => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
    return parseResponse(await fetch(`${url}/_sandbox${path}`, { method, ...sent }))
  }
  return {
    ...{ app, url, payments, shop, control },
    state: async () => (await control<State>('GET', '/state')).body,
    findings: async () => (await control<{ findings: string[] }>('GET', '/reconcile')).body.findings,
    /** Advances the clock by seconds, after the work that is due. */
    advance: (advance_seconds: number) => control('POST', '/clock', { advance_seconds }),
    /** Makes a transfer to a key. */
    pay: async (amount = '1.00', dict_key = 'beltrana@example.com') =>
      (await payments.keys.check(dict_key)).pay({ amount }),
    async close() {
      // Cut nothing: whatever keeps the server from closing must fail the test.
      await app.close(60_000)
      await shop.close()
    },
  }
}

/** Tests wait without a limit, however slow the machine is. */
export const NEVER = () => new AbortController().signal

export const AUTH = { clientKey: 'partner', clientSecret: 'secret' }
