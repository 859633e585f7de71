import { expect, test } from 'vitest'
import type { Relay } from '../faulty/relay.ts'
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
  expect(await run('not-retried')).toEqual(found('discovery delivery-retried createWebhook'))
})

test.concurrent('finds a second attempt under another id', async () => {
  expect(await run('retried-under-another-id')).toEqual(found('discovery delivery-retried createWebhook'))
})

test.concurrent('finds a second attempt with another body', async () => {
  const seen = new Set<string | undefined>()
  const changing: Relay = (posted, send) => {
    const id = posted.headers['webhook-id']
    const body = seen.has(id) ? `${posted.body} ` : posted.body
    seen.add(id)
    return send({ ...posted, body })
  }
  expect(await run(changing)).toEqual(found('discovery delivery-retried createWebhook'))
})

test.concurrent.each([
  ['timestamp-of-the-first-attempt', 'discovery delivery-retried createWebhook'],
  ['second-attempt-signed-as-the-first', 'discovery delivery-retried createWebhook'],
  ['not-retried-after-429', 'discovery delivery-retried createWebhook'],
  ['not-retried-without-an-answer', 'discovery delivery-retried createWebhook'],
  ['redirect-followed', 'discovery delivery-retried createWebhook'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
