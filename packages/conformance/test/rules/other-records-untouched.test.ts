import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('other-records-untouched')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an update of all records', async () => {
  expect(await run('update-changes-all')).toEqual(found('failure other-records-untouched updateWebhook'))
})

test('finds a deletion of those that are alike', async () => {
  expect(await run('deletion-by-url')).toEqual(found('failure other-records-untouched deleteWebhook'))
})

test('finds a cancellation of the record before', async () => {
  expect(await run('cancellation-of-the-one-before')).toEqual(
    found('failure other-records-untouched cancelDueDateQrCode'),
  )
})

test('finds a creation in the place of another', async () => {
  expect(await run('webhook-of-the-same-url-replaced')).toEqual(
    found('failure other-records-untouched createWebhook'),
  )
})

test('finds a cancellation of another kind', async () => {
  expect(await run('cancel-of-the-other-kind')).toEqual(
    found('failure other-records-untouched cancelImmediateQrCode'),
  )
})
