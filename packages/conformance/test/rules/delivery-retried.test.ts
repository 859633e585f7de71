import { expect, test } from 'vitest'
import type { Relay } from '../faulty/world.ts'
import { found, HELD } from './held.ts'
import { runOf, twice } from './relayed.ts'

const run = runOf('delivery-retried')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('takes an attempt that comes twice for what networks make of one', async () => {
  expect(await run(twice())).toEqual(HELD)
})

test.concurrent('finds a delivery that fails and is not tried again', async () => {
  expect(await run('not-retried')).toEqual(found('deviation delivery-retried createWebhook'))
})

test.concurrent('finds a second attempt under another id', async () => {
  expect(await run('retried-under-another-id')).toEqual(found('deviation delivery-retried createWebhook'))
})

test.concurrent('finds a second attempt with another body', async () => {
  const seen = new Set<string | undefined>()
  const changing: Relay = (posted, send) => {
    const id = posted.headers['webhook-id']
    const body = seen.has(id) ? `${posted.body} ` : posted.body
    seen.add(id)
    return send({ ...posted, body })
  }
  expect(await run(changing)).toEqual(found('deviation delivery-retried createWebhook'))
})

test.concurrent.each([
  ['timestamp-of-the-first-attempt', 'deviation delivery-retried createWebhook'],
  ['second-attempt-signed-as-the-first', 'deviation delivery-retried createWebhook'],
  ['not-retried-after-429', 'deviation delivery-retried createWebhook'],
  ['not-retried-without-an-answer', 'deviation delivery-retried createWebhook'],
  ['redirect-followed', 'deviation delivery-retried createWebhook'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
