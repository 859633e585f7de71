import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('timestamps-ordered', { beside: ['visible-after-creation'], operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that was updated before it was created', async () => {
  const fault = answers('getWebhook', (reply) =>
    withBody(reply, (body) => ({ ...body, updated_at: '2020-01-02T03:04:05Z' })),
  )
  expect(await run(fault)).toEqual(found('failure timestamps-ordered getWebhook'))
})
