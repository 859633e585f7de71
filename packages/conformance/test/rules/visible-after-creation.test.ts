import { expect, test } from 'vitest'
import { answers, refusing } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('visible-after-creation')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that cannot be read after it was created', async () => {
  const fault = answers('getWebhook', refusing(404))
  expect(await run(fault)).toEqual(found('failure visible-after-creation getWebhook'))
})

const runFaulty = runOfFaulty('visible-after-creation')

test.each([
  ['webhook-created-in-local-time', 'deviation visible-after-creation getWebhook'],
  ['new-credential-of-nobody', 'failure visible-after-creation createWebhook'],
  ['reads-at-once-crossed', 'failure visible-after-creation getWebhook'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
