import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-follows-update')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a type that stays', async () => {
  expect(await run('type-of-creation-stays')).toEqual(
    found('deviation delivery-follows-update updateWebhook'),
  )
})

test.concurrent('finds a URL that stays', async () => {
  expect(await run('told-to-the-old-url')).toEqual(found('deviation delivery-follows-update updateWebhook'))
})

test.concurrent('finds a webhook that stays silent', async () => {
  expect(await run('silent-once-inactive')).toEqual(found('deviation delivery-follows-update updateWebhook'))
})

test.concurrent('finds a secret that changes', async () => {
  expect(await run('update-changes-the-secret')).toEqual(
    found('deviation delivery-follows-update updateWebhook'),
  )
})
