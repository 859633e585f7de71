import { expect, test } from 'vitest'
import { refuses, shows } from './broken.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'

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
  expect(await run(fault)).toEqual(found('failure update-kept getWebhook'))
})

test('is not judged where the update is refused', async () => {
  expect(await run(refuses('updateWebhook'))).toEqual(UNJUDGED)
})
