import { expect, it } from 'vitest'
import type { Relay } from '../faulty/sandbox.ts'
import type { Wrap } from '../faulty/wrap.ts'
import { expectDeviation, expectOnly, RULES, seen } from './deliveries.ts'

it.concurrent.each([
  ['deliveries-signed', 'body-written-anew', 'signature'],
  ['deliveries-subscription', 'type-of-creation-stays', 'webhook-types'],
  ['deliveries-secrets', 'old-secret-dropped-at-once', 'secret-rotation'],
])('%s reports %s as a deviation of %s', expectDeviation)

it.concurrent('reports deliveries to a deleted webhook as a failure: a fact says that webhooks are deleted', async () => {
  const { findings } = await seen(['deliveries-subscription'], 'delivered-after-deletion')
  expect(findings).toMatchObject([{ kind: 'failure', cites: { statement: 'webhooks-managed' } }])
})

const unsigned: Relay = (posted, send) =>
  send({ ...posted, headers: { 'content-type': 'application/json', 'x-signature': 'sha256=00' } })

it.concurrent('departs from one question only if a service has another signature scheme', () =>
  expectOnly(unsigned, ['signature']))

it.concurrent('is inconclusive where no webhook may point to this machine', async () => {
  const refused: Wrap = () => async (call, next) =>
    call.operation === 'createWebhook'
      ? Response.json({ code: 'url_not_allowed' }, { status: 422 })
      : next(call)
  const { statuses, findings } = await seen(RULES, { service: refused })
  expect(findings).toEqual([])
  expect(statuses).toEqual(new Set(['not-assessed']))
})
