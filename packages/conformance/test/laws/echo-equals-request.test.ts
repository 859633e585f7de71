import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('echo-equals-request', { operations: [...WEBHOOKS, 'createTransfer'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a creation that shows another value than it was given', async () => {
  const fault = answers('createWebhook', (reply) =>
    withBody(reply, (body) => ({ ...body, url: 'https://partner.example.com/other' })),
  )
  expect(await run(fault)).toEqual(found('failure echo-equals-request createWebhook'))
})

test('finds a read that shows another value than it was given', async () => {
  const fault = answers('getWebhook', (reply) => withBody(reply, (body) => ({ ...body, type: 'qrcode' })))
  expect(await run(fault)).toEqual(found('failure echo-equals-request getWebhook'))
})

test('finds a transfer of another amount', async () => {
  const fault = answers('createTransfer', (reply) =>
    withBody(reply, (body) => ({ ...body, data: { ...body.data, amount: '0.02' } })),
  )
  expect(await run(fault)).toEqual(found('failure echo-equals-request createTransfer'))
})

test('finds a description that is cut off', async () => {
  const fault = answers('createTransfer', (reply) =>
    withBody(reply, (body) => ({
      ...body,
      ...(body.data && { data: { ...body.data, description: body.data.description?.slice(0, 100) } }),
    })),
  )
  expect(await run(fault)).toEqual(found('failure echo-equals-request createTransfer'))
})
