import type { Context } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Identity } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { PAYING, paysOnce, transfer, transferToKey } from './payments.ts'

export const initiationSingleUse: Rule = {
  id: 'single-use',
  phase: 'records',
  cites: { question: 'transfer-repeat' },
  needs: PAYING,
  stateful: true,
  impact: 'critical',
  title: 'An initiation_id pays once, for whoever looked up: not a second time, and not twice at once.',
  advice: 'Use it up in the transaction that sets the money aside.',
  run: async (context) => {
    for (const identity of ['partner', 'customer'] as const)
      if (identity === 'partner' || context.identities.has(identity)) await tryTwice(context, identity)
  },
}

async function tryTwice(context: Context, identity: Identity): Promise<void> {
  const input = await transferToKey(context, identity)
  if (!input) return context.inconclusive()
  const first = await transfer(context, input, identity)
  if (!isSuccess(first)) return context.inconclusive()
  const again = await transfer(context, input, identity)
  const message = `Expected a used initiation_id of the ${identity} to be refused, and it paid again.`
  expectRefusal(context, again, message, { also: [404], about: identity })
  const other = await transferToKey(context, identity)
  if (!other) return context.inconclusive()
  await paysOnce(context, () => transfer(context, other, identity))
}
