import { expect, test } from 'vitest'
import { readContract } from '../src/contract/contract.ts'
import { FoundValues } from '../src/plans/found-values.ts'
import { later } from '../src/plans/later.ts'
import type { PlanContext } from '../src/plans/plan.ts'
import type { Input } from '../src/send/sender.ts'

const START = Date.parse('2026-12-01T12:00:00Z')
const LIFETIME_SECONDS = 5

interface Sent {
  readonly id: string
  readonly input: Input
  /** Milliseconds since the start. */
  readonly at: number
}

/** A run on a service whose clock cannot be moved, in which waiting takes no time. */
async function requestsOf(options: Partial<PlanContext>): Promise<readonly Sent[]> {
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
    }
    return { sentAt: now, status: 200, isAccepted: true, json }
  }

  const context: Partial<PlanContext> = {
    contract: readContract(),
    values: {},
    found: new FoundValues(),
    fresh: () => 'FRESH',
    random: () => 0,
    clock: {
      now: () => now,
      day: () => '2026-12-01',
      isControlled: false,
    } as PlanContext['clock'],
    async wait(ms) {
      now += ms
    },
    noteValid() {},
    mayWait: true,
    send: Object.assign(respond, { cleanUp: async () => [] }),
    ...options,
  }
  await later.run(context as PlanContext)
  return sent
}

test('it checks and pays a charge after its end, where the clock cannot be moved', async () => {
  const sent = await requestsOf({})
  const creations = sent.filter(({ id }) => id === 'createImmediateQrCode')
  const isShort = ({ input }: Sent) => JSON.stringify(input.body).includes('"expiration":2}')
  expect(creations.filter(isShort)).toHaveLength(1)

  const afterEnd = sent.filter(({ at }) => at > 5_000)
  const ids = afterEnd.map(({ id }) => id)
  expect(ids.slice(0, 3)).toEqual(['checkCode', 'createTransfer', 'cancelImmediateQrCode'])
})

test('it uses a token with a short life after its end', async () => {
  const sent = await requestsOf({})
  const [before, after] = sent.filter(({ id }) => id === 'listUsers')
  expect(before?.input.by).toEqual({ authorization: 'Bearer token' })
  expect(after?.input.by).toEqual(before?.input.by)
  expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThan(LIFETIME_SECONDS * 1000)
})

test('it waits for no end of a mock', async () => {
  const sent = await requestsOf({ mayWait: false })
  expect(sent.at(-1)?.at).toBe(0)
})
