import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Input } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { CHARGING, charge, payer, transfer } from './payments.ts'

export const transferAsLookedUp: Rule = {
  id: 'transfer-as-looked-up',
  phase: 'records',
  cites: { question: 'initiation-types' },
  needs: ['checkKey', ...CHARGING, 'createStaticQrCode'],
  stateful: true,
  impact: 'high',
  title: 'A transfer shows whom the look-up found, by which kind of code, and its tx_id.',
  advice: 'Keep what was looked up with the transfer, and show that.',
  run: async (context) => {
    await toKey(context)
    await toCode(context, 'QRDN', (await charge(context))?.emv, '0.03')
    const created = await context.accepted('createStaticQrCode', { set: { '/amount': '0.03' } })
    await toCode(context, 'QRES', nodeOf(created?.body).emv, '0.03')
  },
}

/** What a transfer has to show. */
interface Expected {
  readonly initiation_type: string
  readonly tx_id: unknown
  readonly beneficiary: Readonly<Record<string, unknown>>
}

async function toKey(context: Context): Promise<void> {
  const looked = await context.accepted('checkKey')
  const { initiation_id, dict_key, ispb, account_type, owner_name } = nodeOf(looked?.body)
  if (!looked) return context.inconclusive()
  const expected = {
    initiation_type: 'DICT',
    tx_id: '',
    beneficiary: { ispb, account_type, name: owner_name },
  }
  await isShown(context, { body: { type: 'dict', amount: '0.01', dict_key, initiation_id } }, expected)
}

async function toCode(
  context: Context,
  initiation_type: string,
  emv: unknown,
  amount: string,
): Promise<void> {
  if (typeof emv !== 'string') return context.inconclusive()
  const checked = await context.send(context.contract.operation('checkCode'), { body: { emv } })
  const { tx_id, beneficiary } = nodeOf(checked.body)
  const { ispb, account_type, name } = nodeOf(beneficiary)
  const expected = { initiation_type, tx_id, beneficiary: { ispb, account_type, name } }
  await isShown(context, { body: { type: 'emv', emv, amount } }, expected)
}

async function isShown(context: Context, input: Input, expected: Expected): Promise<void> {
  const paid = await transfer(context, input, isDict(input) ? 'partner' : payer(context))
  if (!isSuccess(paid)) return context.inconclusive()
  const { initiation_type, tx_id, beneficiary } = nodeOf(nodeOf(paid.body).data)
  const wrong = Object.entries(expected.beneficiary).find(([name, it]) => it !== nodeOf(beneficiary)[name])
  const { initiation_type: kind } = expected
  context.expect(
    paid,
    initiation_type === kind ? undefined : `Expected initiation_type ${kind}, got another.`,
    {
      about: kind,
    },
  )
  const message = `Expected the tx_id that was looked up in a transfer by ${kind}, got another.`
  context.expect(paid, tx_id === expected.tx_id ? undefined : message, {
    about: `tx_id ${kind}`,
    question: 'transfer-tx-id',
  })
  context.expect(
    paid,
    wrong && `Expected "${wrong[0]}" of the beneficiary that was looked up, got another.`,
    {
      about: `beneficiary ${kind}`,
      question: undefined,
    },
  )
}

function isDict({ body }: Input): boolean {
  return nodeOf(body).type === 'dict'
}
