import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { isPlainRead } from '../../model/operation-view.ts'
import { withValidRequests } from '../common/valid-requests.ts'

export const impersonatedTokenRefused: Rule = {
  id: 'impersonated-token-refused',
  phase: 'authorization',
  cites: { convention: 'tokenKinds' },
  requires: 'customer',
  stateful: true,
  impact: 'high',
  title: "Operations for partners refuse a customer's token with 403.",
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  run: async (context) => {
    const isAccepted = await isAcceptedSomewhere(context)
    await withValidRequests(context, async (view, valid) => {
      if (view.scheme !== 'bearer' || !view.statuses.includes('403')) return
      const exchange = await context.send(view, valid, { identity: 'customer' })
      const { status } = exchange.response
      if (status === 401 && !isAccepted) return context.inconclusive()
      const isRefused = status === 403 || status === 401
      context.expect(
        exchange,
        isRefused ? undefined : `Expected 403 for the token of a customer, got ${status}.`,
      )
    })
  },
}

/** Whether any operation accepts the token: otherwise a 401 does not show that a permission is missing. */
async function isAcceptedSomewhere(context: Context): Promise<boolean> {
  const view = context.contract.operations.find(
    (it) => isPlainRead(it) && it.scheme === 'bearer' && !it.statuses.includes('403'),
  )
  return view !== undefined && isSuccess(await context.send(view, {}, { identity: 'customer' }))
}
