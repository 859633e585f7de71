import { expect, test } from 'vitest'
import { refuses, shows } from './broken.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('update-kept', { operations: [...WEBHOOKS, ...CHARGES] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  { status: 'active' },
  { status: 'inactive' },
  { type: 'all' },
  { url: 'https://partner.example.com/pix/events' },
])('finds an update that the next read shows as %j still', async (shown) => {
  const fault = shows('getWebhook', (body) => ({ ...body, ...shown }))
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

test('is not judged where the update is refused', async () => {
  expect(await run(refuses('updateWebhook'))).toEqual(UNJUDGED)
})

test.each([
  ['same-again-refused', 'failure update-kept updateWebhook'],
  ['update-to-qrcode-kept-as-all', 'failure update-kept getWebhook'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
