import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { likePaid, transfer, type Way, waysToPay } from './payments.ts'

/** More than any account holds, and what no code asks for. */
const WRONG = '9999999999.99'

export const refusalUsesNothing: Rule = {
  id: 'refusal-uses-nothing',
  phase: 'records',
  cites: { question: 'effects' },
  needs: ['createTransfer'],
  stateful: true,
  impact: 'high',
  title: 'What is refused uses nothing up: its look-up, its charge and its tx_id are as good as before.',
  advice: 'Use up what a request brings in the transaction that does what it asks for, and nowhere before.',
  run: async (context) => {
    for (const way of waysToPay(context)) await thenRight(context, way)
    for (const id of ['createImmediateQrCode', 'createDueDateQrCode'])
      if (context.contract.has(id) && context.may(context.contract.operation(id)))
        await thenCreated(context, id)
  },
}

/** A transfer of too much, and then of what is right. */
async function thenRight(context: Context, { made, identity, words }: Way): Promise<void> {
  const input = await likePaid(context, made, identity)
  const refused =
    input && (await transfer(context, { body: { ...nodeOf(input.body), amount: WRONG } }, identity))
  if (!input || !refused || !isRefusal(refused)) return context.inconclusive()
  const paid = await transfer(context, input, identity)
  const message = `Expected what a transfer by ${words} that was refused began with to pay still, got ${paid.response.status}.`
  context.expect(paid, isSuccess(paid) ? undefined : message, { about: words })
}

/** A charge of nothing, and then one that is right, of the same tx_id. */
async function thenCreated(context: Context, id: string): Promise<void> {
  const view = context.contract.operation(id)
  const input = await context.builder.inputOf(view, { identity: 'partner' })
  const refused =
    input &&
    (await context.send(view, context.builder.withMembers(input, { '/amount': { original: '0.00' } })))
  if (!input || !refused || !isRefusal(refused)) return context.inconclusive()
  const created = await context.send(view, input)
  const message = `Expected the tx_id of a charge that was refused to be free still, got ${created.response.status}.`
  context.expect(created, isSuccess(created) ? undefined : message, { about: id })
}
