import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { valueAt } from '../src/contract/json.ts'
import { later } from '../src/plans/later.ts'
import { LIFETIME_SECONDS, OVERDUE, requestsOf, type Sent, START } from './plan-context.ts'

const BY_FIRST_TOKEN = { authorization: 'Bearer of customer' }

test('it lists, checks and pays a charge after its end, where the clock cannot be moved', async () => {
  const sent = await requestsOf(later)
  const creations = sent.filter(({ id }) => id === 'createImmediateQrCode')
  const isShort = ({ input }: Sent) => JSON.stringify(input.body).includes('"expiration":2}')
  expect(creations.filter(isShort)).toHaveLength(1)

  const afterEnd = sent.filter(({ at }) => at > 5_000)
  const ids = afterEnd.map(({ id }) => id)
  expect(ids.slice(0, 4)).toEqual([
    'listImmediateQrCodes',
    'checkCode',
    'createTransfer',
    'cancelImmediateQrCode',
  ])
})

test('it checks overdue charges from before the run, where the clock cannot be moved', async () => {
  const ofSandbox = await requestsOf(later, { maySearch: true })
  const isOfOverdue = ({ input }: Sent) => JSON.stringify(input.body)?.includes(OVERDUE.emv)
  expect(ofSandbox.filter(isOfOverdue).map(({ id }) => id)).toEqual(['checkCode'])

  const ofLive = await requestsOf(later)
  expect(ofLive.filter(isOfOverdue)).toEqual([])
})

test('it creates and checks an overdue charge with a fine, where the clock cannot be moved', async () => {
  const isOverdueFine = ({ id, input }: Sent) => {
    const isPast = JSON.stringify(input.body)?.includes('"due_date":"2026-11-16"')
    return (
      id === 'createDueDateQrCode' && isPast && valueAt(input.body, '/amount/fine') !== undefined
    )
  }
  const ofSandbox = await requestsOf(later, { maySearch: true })
  const createdAt = ofSandbox.findIndex(isOverdueFine)
  expect(ofSandbox[createdAt + 1]).toMatchObject({
    id: 'checkCode',
    input: { body: { emv: `code ${createdAt + 1}` } },
  })

  const ofLive = await requestsOf(later)
  expect(ofLive.filter(isOverdueFine)).toEqual([])
})

test('it lists a charge before its end, too', async () => {
  const sent = await requestsOf(later)
  const isBeforeEnd = ({ id, at }: Sent) => id === 'listImmediateQrCodes' && at < 2_000
  expect(sent.filter(isBeforeEnd)).toHaveLength(1)
})

test('it uses a token with a short life after its end', async () => {
  const sent = await requestsOf(later)
  const [before, after] = sent.filter(({ id }) => id === 'listUsers')
  expect(before?.input.by).toEqual({ authorization: 'Bearer token' })
  expect(after?.input.by).toEqual(before?.input.by)
  expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThan(LIFETIME_SECONDS * 1000)
})

test('it uses the first token of a customer after the time at which it ends', async () => {
  const json = { access_token: 'of customer', expiration: START / 1000 + 30 }
  const first = { sentAt: START, status: 200, isAccepted: true, json }
  const sent = await requestsOf(later, {}, (by) => (by === 'customer' ? first : undefined))
  const uses = sent.filter(({ input }) => isDeepStrictEqual(input.by, BY_FIRST_TOKEN))
  expect(uses.map(({ id }) => id)).toEqual(['listImmediateQrCodes', 'listImmediateQrCodes'])
  expect(uses[0]?.at).toBeLessThan(30_000)
  expect(uses[1]?.at).toBeGreaterThan(30_000)
})

test('it waits for no end of a mock', async () => {
  const sent = await requestsOf(later, { mayWait: false })
  expect(sent.at(-1)?.at).toBe(0)
})
