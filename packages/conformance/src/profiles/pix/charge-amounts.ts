import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { dayAt } from '../../transport/service-clock.ts'
import { type ChargeRow, chargeRows, DUE } from './charge-rows.ts'

export const chargeAmounts: Rule = {
  id: 'charge-amounts',
  phase: 'lists',
  cites: { question: 'final-amount' },
  needs: ['createDueDateQrCode', 'createImmediateQrCode', 'checkCode'],
  stateful: true,
  impact: 'high',
  title: 'A due-date charge asks for what its deduction, discount, fine and interest come to today.',
  advice: "Follow annex III of the central bank's manual: each part truncated to centavos.",
  run: async (context) => {
    const created = await immediate(context)
    const day = (days: number) => dayAt(madeAt(created) ?? context.clock.now(), days)
    await context.each(chargeRows(day), (row) => tryRow(context, row, day(row.due ?? DUE)))
  },
}

async function tryRow(
  context: Context,
  { words, amount, final }: ChargeRow,
  due_date: string,
): Promise<void> {
  const set = { '/amount': amount, '/calendar/due_date': due_date }
  const created = await context.accepted('createDueDateQrCode', { set })
  const emv = nodeOf(created?.body).emv
  if (typeof emv !== 'string') return context.inconclusive()
  for (const identity of ['partner', 'customer'] as const) {
    if (identity === 'customer' && !context.identities.has(identity)) continue
    const checked = await context.send(
      context.contract.operation('checkCode'),
      { body: { emv } },
      { identity },
    )
    if (!isSuccess(checked)) return context.inconclusive()
    const { final_amount } = nodeOf(checked.body)
    const message = `Expected ${final} with ${words} for the ${identity}, got ${final_amount}.`
    context.expect(checked, final_amount === final ? undefined : message, { about: `${words} ${identity}` })
  }
}

async function immediate(context: Context): Promise<Exchange | undefined> {
  const created = await context.accepted('createImmediateQrCode', { set: { '/amount/original': '35.91' } })
  const emv = nodeOf(created?.body).emv
  if (typeof emv !== 'string') {
    context.inconclusive()
    return created
  }
  const checked = await context.send(context.contract.operation('checkCode'), { body: { emv } })
  if (!isSuccess(checked)) {
    context.inconclusive()
    return created
  }
  const { final_amount } = nodeOf(checked.body)
  const message = `Expected 35.91 for an immediate charge over 35.91, got ${final_amount}.`
  context.expect(checked, final_amount === '35.91' ? undefined : message, { about: 'immediate' })
  return created
}

/** When a service made a record, by its own clock. */
function madeAt(created: Exchange | undefined): number | undefined {
  const at = Date.parse(String(nodeOf(created?.body).created_at))
  return Number.isNaN(at) ? undefined : at
}
