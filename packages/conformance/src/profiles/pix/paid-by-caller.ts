import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, RequestIdentity } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { PAYING, transfer, transferToKey } from './payments.ts'

export const paidByCaller: Rule = {
  id: 'paid-by-caller',
  phase: 'authorization',
  cites: { question: 'token-permissions' },
  requires: 'customer',
  needs: PAYING,
  stateful: true,
  impact: 'high',
  title: 'A transfer is paid from the account that its token stands for.',
  advice: 'Take the payer from the token: the account of the customer, where one is acted for.',
  run: async (context) => {
    const [partner, customer] = [await paidBy(context, 'partner'), await paidBy(context, 'customer')]
    if (!partner || !customer) return context.inconclusive()
    context.expect(
      customer,
      accountOf(partner) === accountOf(customer)
        ? 'Expected a customer to pay from an account of its own, and it was that of the partner.'
        : undefined,
    )
  },
}

async function paidBy(context: Context, identity: RequestIdentity): Promise<Exchange | undefined> {
  const input = await transferToKey(context, identity)
  const paid = input && (await transfer(context, input, identity))
  return paid && isSuccess(paid) ? paid : undefined
}

function accountOf({ body }: Exchange): unknown {
  return nodeOf(nodeOf(body).data).account_id
}
