import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('update-kept', { operations: ['createWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an update that the next read does not show', async () => {
  const fault = answers('getWebhook', (reply) => withBody(reply, (body) => ({ ...body, status: 'active' })))
  expect(await run(fault)).toEqual(
    found('failure update-kept getWebhook', 'failure update-kept listWebhooks'),
  )
})

const runFaulty = runOfFaulty('update-kept')

test.each([
  ['list-behind-updates', 'failure update-kept listWebhooks'],
  ['update-makes-it-new', 'failure update-kept getWebhook'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
