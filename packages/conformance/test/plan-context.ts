import { readContract } from '../src/contract/contract.ts'
import { ServiceForm } from '../src/form/service-form.ts'
import { AcceptedValues } from '../src/plans/accepted-values.ts'
import { CodePayers } from '../src/plans/code-payers.ts'
import type { Plan, PlanContext } from '../src/plans/plan.ts'
import { WrongPayments } from '../src/plans/wrong-payments.ts'
import type { Input } from '../src/send/requests.ts'

/** When the plan begins. */
export const START = Date.parse('2026-12-01T12:00:00Z')
const DAY_MS = 86_400_000
/** A charge from before the run, in each list. */
export const OVERDUE = {
  id: 'overdue',
  emv: 'overdue code',
  status: 'ATIVA',
  calendar: { due_date: '2026-11-11' },
}
/** Seconds that a token works. */
export const LIFETIME_SECONDS = 5

export interface Sent {
  readonly id: string
  readonly input: Input
  /** Milliseconds since the start. */
  readonly at: number
}

/**
 * The requests of a plan to a service that accepts everything, and whose clock cannot be moved. Waiting
 * takes no time.
 *
 * @param findFirstToken The first response with a token of an identity. Default: none.
 */
export async function requestsOf(
  plan: Plan,
  options: Partial<PlanContext> = {},
  findFirstToken: (by: string) => unknown = () => undefined,
): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  let now = START
  let count = 0

  async function respond(id: string, input: Input = {}) {
    sent.push({ id, input, at: now - START })
    const json = {
      id: `record ${++count}`,
      emv: `code ${count}`,
      final_amount: '35.90',
      access_token: 'token',
      expiration: LIFETIME_SECONDS,
      initiation_id: `initiation ${count}`,
      dict_key: 'beltrana@example.com',
      data: [OVERDUE],
      next_cursor: null,
      users: [{ id: 'user 1' }, { id: 'user 2' }],
      customers: [{ id: 'customer 1', tax_id: '12345678909' }],
    }
    return { sentAt: now, status: 200, isAccepted: true, json }
  }

  // Plans that are tested alone read nothing else of the identities.
  const identities = {
    has: () => false,
    credentials: [],
    chooseActor: (by: unknown) => by,
    findFirstToken,
  } as unknown as PlanContext['identities']
  const context: Partial<PlanContext> = {
    contract: readContract(),
    values: {},
    form: new ServiceForm(),
    acceptedValues: new AcceptedValues(),
    // Without the search for people, it keeps the payer.
    codePayers: new CodePayers({
      send: respond,
      identities,
      maySearch: false,
      namedCustomer: undefined,
    }),
    uniqueText: () => 'FRESH',
    random: () => 0,
    clock: {
      now: () => now,
      day: (days = 0) => new Date(now + days * DAY_MS).toISOString().slice(0, 10),
      isControlled: false,
    } as PlanContext['clock'],
    async wait(ms) {
      now += ms
    },
    noteValid() {},
    async repeatLaggingReads() {},
    isChosen: () => true,
    async sideBySide(items, work) {
      const results: Awaited<ReturnType<typeof work>>[] = []
      for (const item of items) results.push(await work(item))
      return results
    },
    identities,
    mayWait: true,
    wrongPayments: new WrongPayments(),
    mayPayWrongly: false,
    maySearch: false,
    send: Object.assign(respond, { cleanUp: async () => [] }),
    ...options,
  }
  await plan.run(context as PlanContext)
  return sent
}
