import { expect, test } from 'vitest'
import { identities } from '../src/plans/identities.ts'
import { by } from './services/call.ts'
import { checkService } from './services/check.ts'
import { callerOf, ownerOf } from './services/state.ts'
import type { Service } from './services/wrap.ts'

/** A customer gets a new secret for the webhook of its partner, and may do nothing else with it. */
const givesSecretToCustomers: Service = {
  operations: 'rotateWebhookSecret',
  async wrap(call, next, sandbox) {
    const caller = await callerOf(call, sandbox)
    const isOfCustomer = caller !== undefined && caller.customer_id !== null
    return next(isOfCustomer ? by(call, await ownerOf(call, sandbox)) : call)
  },
}

test('it is critical that a customer changes a webhook which the service refuses to show to it', async () => {
  const { findings } = await checkService(givesSecretToCustomers, { plans: [identities] })
  const found = findings.find(({ rule }) => rule === 'access-consistent')
  expect(found).toMatchObject({
    severity: 'critical',
    message:
      'rotateWebhookSecret changes a webhook that somebody else has created, although getWebhook refuses to show it to the same identity.',
  })
})
