import { expect, test } from 'vitest'
import { alters, both, isSuccess, mistakes, problem, refuses } from './broken.ts'
import { CHARGES, found, NOT_ASSESSED, PASSED, runOf, WEBHOOKS } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const operations = [...WEBHOOKS, ...CHARGES]
const run = runOf('foreign-record-hidden', { operations })
const live = runOf('foreign-record-hidden', { operations, target: 'live', rate: 5_000 })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds a record that is shown to someone else', async () => {
  const fault = mistakes('getWebhook')
  expect(await run(fault)).toEqual(found('failure foreign-record-hidden getWebhook'))
})

test('finds a record that someone else can delete', async () => {
  const fault = mistakes('deleteWebhook')
  expect(await run(fault)).toEqual(
    found('failure foreign-record-hidden deleteWebhook', 'failure foreign-record-hidden getWebhook'),
  )
})

test('finds it on a live service too, where no unknown id is told to change', async () => {
  expect(await live(mistakes('rotateWebhookSecret'))).toEqual(
    found('failure foreign-record-hidden rotateWebhookSecret'),
  )
})

test('takes a refusal that tells that the record is there for a deviation', async () => {
  const fault = alters('getWebhook', (reply) => (isSuccess(reply) ? reply : problem(403)))
  expect(await run(fault)).toEqual(found('deviation foreign-record-hidden getWebhook'))
})

test.each(['updateWebhook', 'rotateWebhookSecret', 'cancelImmediateQrCode'])(
  'finds %s by someone else',
  async (id) => {
    expect(await run(mistakes(id))).toEqual(found(`failure foreign-record-hidden ${id}`))
  },
)

test('is not judged where nothing can be made', async () => {
  expect(await run(both(refuses('createWebhook'), refuses('createImmediateQrCode')))).toEqual(NOT_ASSESSED)
})

test('says nothing of a read that is not answered at all', async () => {
  const fault = alters('getWebhook', (reply) => (isSuccess(reply) ? reply : { ...reply, status: 0 }))
  expect(await run(fault)).toEqual(PASSED)
})

const runFaulty = runOfFaulty('foreign-record-hidden')

test.each([['foreign-webhook-coded', 'deviation foreign-record-hidden getWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)

test.each([['foreign-code-forbidden', 'deviation foreign-record-hidden cancelImmediateQrCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
