import { expect, test } from 'vitest'
import { answers, isSuccess, mistakes, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('foreign-record-hidden', { operations: ['createWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
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

test('takes a refusal that tells that the record is there for a discovery', async () => {
  const fault = answers('getWebhook', (reply) => (isSuccess(reply) ? reply : problem(403)))
  expect(await run(fault)).toEqual(found('discovery foreign-record-hidden getWebhook'))
})

const runFaulty = runOfFaulty('foreign-record-hidden')

test.each([['foreign-webhook-coded', 'discovery foreign-record-hidden getWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
