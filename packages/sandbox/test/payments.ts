import { createPayments, HttpError } from '@partner-payments/client'
import { type AppOptions, createApp } from '../src/app.ts'
import { PARTNERS, USERS } from '../src/seed/data.ts'

/** The start time of these sandboxes: a Monday, 9:00 in Brasília. */
export const MONDAY = Date.parse('2026-11-23T12:00:00Z')

/** A sandbox, and clients of its callers. */
export type TestSandbox = Awaited<ReturnType<typeof openTestSandbox>>

/** Opens a sandbox with a frozen clock, and checks each of its responses against the contract. */
export async function openTestSandbox(options: AppOptions = {}) {
  const sandbox = await createApp({ now: () => MONDAY, checksResponses: true, ...options })
  sandbox.clock.freeze()
  const clientOf = ({ client_key, client_secret }: (typeof PARTNERS)[number]) =>
    createPayments({
      baseUrl: 'http://sandbox.example',
      auth: { clientKey: client_key, clientSecret: client_secret },
      fetch: (url, init) => sandbox.service(new Request(url, init)),
      retries: 0,
    })
  const partner = clientOf(PARTNERS[0])
  const [user] = USERS
  return {
    sandbox,
    partner,
    other: clientOf(PARTNERS[1]),
    /** The customer of the partner. */
    customer: partner.as({ user_id: user.id, customer_id: user.customer.id }),
    /** Advances the clock to a moment, and finishes all work that becomes due on the way. */
    at: (moment: string | number) =>
      sandbox.worker.moveTo(typeof moment === 'number' ? moment : Date.parse(moment)),
  }
}

/** The status, code and invalid fields of a refusal, as `422 invalid_charge /amount`. */
export async function refusal(call: PromiseLike<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { status, problem } = error
    return [status, problem?.code, ...(problem?.errors ?? []).map(({ pointer }) => pointer)].join(' ')
  }
  throw new Error('the call was not refused')
}
