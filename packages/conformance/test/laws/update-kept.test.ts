import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('update-kept', { operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an update that the next read does not show', async () => {
  const fault = answers('getWebhook', (reply) => withBody(reply, (body) => ({ ...body, status: 'active' })))
  expect(await run(fault)).toEqual(found('failure update-kept getWebhook'))
})
