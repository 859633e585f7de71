import { expect, test } from 'vitest'
import { shows, withItemsOf } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('timestamps-ordered', {
  beside: ['listed-after-creation', 'visible-after-creation'],
  operations: ['createWebhook'],
})
const runTransfer = runOf('timestamps-ordered', {
  beside: ['example-accepted'],
  operations: ['createTransfer'],
})

const OLD = '2020-01-02T03:04:05Z'

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that was updated before it was created', async () => {
  const fault = shows('getWebhook', (body) => ({ ...body, updated_at: OLD }))
  expect(await run(fault)).toEqual(found('failure timestamps-ordered getWebhook'))
})

test('finds such a record in a list', async () => {
  const fault = shows('listWebhooks', withItemsOf((it) => ({ ...it, updated_at: OLD })))
  expect(await run(fault)).toEqual(found('failure timestamps-ordered listWebhooks'))
})
