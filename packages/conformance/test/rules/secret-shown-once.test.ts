import { expect, test } from 'vitest'
import { answers, problem, withBody } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('secret-shown-once', { beside: ['visible-after-creation'], operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a secret in an answer that reads', async () => {
  const fault = answers('getWebhook', (reply) =>
    withBody(reply, (body) => ({ ...body, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })),
  )
  expect(await run(fault)).toEqual(
    found('failure secret-shown-once getWebhook', 'failure visible-after-creation createWebhook'),
  )
})

test('finds a secret in an error', async () => {
  const fault = answers('getWebhook', () => {
    const reply = problem(404)
    return withBody(reply, (body) => ({ ...body, detail: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }))
  })
  expect(await run(fault)).toEqual(
    found('failure secret-shown-once getWebhook', 'failure visible-after-creation getWebhook'),
  )
})
