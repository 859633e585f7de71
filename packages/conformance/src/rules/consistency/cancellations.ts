import { isDeepStrictEqual } from 'node:util'
import { isExpired } from '../../causes/codes.ts'
import { findAction } from '../../contract/kinds.ts'
import { PAID } from '../../contract/words.ts'
import { readShortFields } from '../../model/consistency.ts'
import { hasConcurrentWrite, PAYMENT, readCertainValue } from '../../model/records.ts'
import { citeEarlier, type RuleContext, withArticle } from '../rule.ts'

/** Expects that a code is not both paid and cancelled, and stays cancelled. */
export function expectOwnCancellation(context: RuleContext): void {
  expectUnpaid(context)
  expectStillCancelled(context)
}

/** A code that shows its payment, or that it is paid, stays so. Its cancellation may have no effect. */
function expectUnpaid({ exchange, model, report }: RuleContext): void {
  const { operation, outcome } = exchange
  const [id] = Object.values(exchange.parameters)
  const shown = exchange.records.find((record) => record.id === id)
  if (outcome !== 'accepted' || !shown || findAction(shown.kind, operation?.id) !== 'cancel') return

  const record = model.records.find(shown.kind, shown.id)
  const status = record && readCertainValue(record, 'status')
  if (!record || status === undefined || hasConcurrentWrite(exchange, record)) return

  const showsPayment = Boolean(readCertainValue(record, PAYMENT))
  const by = record.fields.get(showsPayment ? PAYMENT : 'status')?.at(-1)?.by ?? exchange.trace
  // That a transfer has paid the code is no record of the code yet.
  const isShownAsPaid = status === PAID && findAction(shown.kind, by.operation) !== undefined
  if (!showsPayment && !isShownAsPaid) return

  report.expect(
    shown.fields.status === status,
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows that the code is paid`),
      about: 'paid',
    },
    () =>
      `${operation?.id} moved ${withArticle(shown.kind.name)} from ${status} to ${shown.fields.status}, although it was paid.`,
  )
}

/** A cancelled code is not shown again as it was when it was new. */
function expectStillCancelled({ exchange, model, report }: RuleContext): void {
  if (exchange.outcome !== 'accepted') return

  for (const shown of exchange.records) {
    const { kind, id } = shown
    const cancellation = model.consistency.findCancellation(id)
    const record = model.records.find(kind, id)
    const created = model.consistency.findCreatedFields(id)
    if (!cancellation || !record || !created || hasConcurrentWrite(exchange, record)) continue

    const { by } = cancellation
    const isLater = by.completeAt < exchange.sentAt && !model.records.isRecent(record, exchange)
    if (!isLater || isExpired(record, { exchange, model })) continue

    report.expect(
      !isDeepStrictEqual(created, readShortFields(shown)),
      {
        evidence: exchange,
        cites: citeEarlier(by, `${by.operation} has cancelled the code`),
        about: 'still open',
      },
      () =>
        `${exchange.operation?.id} shows ${withArticle(kind.name)} as it was created, although ${by.operation} has cancelled it.`,
    )
  }
}
