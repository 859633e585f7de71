import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const impersonatedTokenRefused: Rule = {
  id: 'impersonated-token-refused',
  phase: 'authorization',
  cites: { convention: 'tokenKinds' },
  needsQuestion: true,
  requires: 'customer',
  stateful: true,
  impact: 'high',
  title: "What is the partner's business refuses the token of a customer with 403.",
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  run: async (context) => {
    const isTaken = await isTakenSomewhere(context)
    await withBase(context, async (view, base) => {
      if (view.scheme !== 'bearer' || !view.statuses.includes('403')) return
      const exchange = await context.send(view, base, { identity: 'customer' })
      const { status } = exchange.response
      if (status === 401 && !isTaken) return context.inconclusive()
      const isRefused = status === 403 || status === 401
      context.expect(
        exchange,
        isRefused ? undefined : `Expected 403 for the token of a customer, got ${status}.`,
      )
    })
  },
}

/** Whether the token is good for anything: else 401 says nothing of what it may not do. */
async function isTakenSomewhere(context: Context): Promise<boolean> {
  const view = context.contract.operations.find(
    ({ method, scheme, pathParameters, statuses }) =>
      method === 'GET' && scheme === 'bearer' && pathParameters.length === 0 && !statuses.includes('403'),
  )
  return view !== undefined && isSuccess(await context.send(view, {}, { identity: 'customer' }))
}
