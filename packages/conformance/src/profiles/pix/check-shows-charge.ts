import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'

/** Milliseconds by which an end may be rounded. */
const ROUNDING = 1_000

type Node = Readonly<Record<string, unknown>>

/** What a check shows, and what it has to be by the record. */
interface Shown {
  readonly name: string
  readonly got: unknown
  readonly expected: unknown
  /** The open question that says so; undefined where the document does. */
  readonly question?: string
}

export const checkShowsCharge: Rule = {
  id: 'check-shows-charge',
  phase: 'lists',
  cites: { statement: 'code-decoded' },
  needs: ['checkCode'],
  stateful: true,
  impact: 'high',
  title: 'The check of a code shows the charge that the code was made for, and to whom it is paid.',
  advice: 'Read the charge by the code, and show its members as they were given.',
  run: async (context) => {
    const views = context.contract.operations.filter(
      (it) => it.method === 'POST' && /^create.*QrCode$/.test(it.id) && context.may(it),
    )
    await context.each(views, ({ id }) => tryKind(context, id))
  },
}

/** Two of a kind, with other texts, so that the code of one which leads to the other is seen. */
async function tryKind(context: Context, id: string): Promise<void> {
  const made: Exchange[] = []
  for (const message of ['Pedido um', 'Pedido dois']) {
    const created = await context.accepted(id, { set: { '/message': message } })
    if (created) made.push(created)
    else context.inconclusive()
  }
  for (const created of made) {
    const { emv } = nodeOf(created.body)
    const checked = await context.send(context.contract.operation('checkCode'), { body: { emv } })
    if (isSuccess(checked)) isShown(context, checked, nodeOf(created.body))
    else context.inconclusive()
  }
}

function isShown(context: Context, checked: Exchange, record: Node): void {
  for (const { name, got, expected, question } of shownOf(nodeOf(checked.body), record)) {
    if (expected === undefined) continue
    const isIt = isDeepStrictEqual(got, expected) || isNear(name, got, expected)
    const message = `Expected "${name}" of the charge in the check of its code, got another.`
    context.expect(checked, isIt ? undefined : message, { about: name, question })
  }
}

function shownOf(check: Node, record: Node): Shown[] {
  const [calendar, amount, payer] = [nodeOf(record.calendar), nodeOf(record.amount), nodeOf(record.payer)]
  const asIs = ['tx_id', 'message', 'additional_infos', 'revision']
  const at = (name: string, got: unknown, expected: unknown, question?: string): Shown => ({
    name,
    got,
    expected,
    ...(question !== undefined && { question }),
  })
  return [
    ...asIs.map((name) => at(name, check[name], record[name])),
    at('dict_key', nodeOf(check.beneficiary).dict_key, record.dict_key),
    at('payer.name', nodeOf(check.payer).name, payer.name),
    at('payer.tax_id', nodeOf(check.payer).tax_id, payer.tax_id),
    at('original_amount', check.original_amount, amount.original ?? record.amount),
    at('due_date', check.due_date, calendar.due_date),
    at('qrcode_type', check.qrcode_type, record.kind ?? 'Static', 'code-kinds'),
    at('url', check.url, record.url, 'code-url'),
    at('status', check.status, record.status, 'code-status-values'),
    at('expiration', check.expiration, endOf(record.created_at, calendar.expiration), 'code-expiration'),
  ]
}

/** When a charge of so many seconds ends; undefined of one that has no such end. */
function endOf(created_at: unknown, seconds: unknown): string | undefined {
  const from = Date.parse(String(created_at))
  return typeof seconds !== 'number' || Number.isNaN(from)
    ? undefined
    : new Date(from + seconds * 1000).toISOString()
}

function isNear(name: string, got: unknown, expected: unknown): boolean {
  if (name !== 'expiration') return false
  return Math.abs(Date.parse(String(got)) - Date.parse(String(expected))) <= ROUNDING
}
