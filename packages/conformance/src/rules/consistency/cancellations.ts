import { isDeepStrictEqual } from 'node:util'
import { isExpired } from '../../causes/codes.ts'
import { findAction } from '../../contract/kinds.ts'
import { PAID } from '../../contract/words.ts'
import { readShortFields } from '../../model/consistency.ts'
import { findIdInPath } from '../../model/exchange.ts'
import { hasConcurrentWrite, PAYMENT, readCertainValue } from '../../model/records.ts'
import { citeEarlier, type RuleContext, withArticle } from '../rule.ts'

/** Expects that a code is not both paid and cancelled, and stays cancelled. */
export function expectConsistentCancellation(context: RuleContext): void {
  expectPaidUnchanged(context)
  expectStillCancelled(context)
}

/**
 * Expects that the cancellation of a QR code that an earlier response showed as paid does not change its
 * status. The service may accept such a cancellation without effect.
 */
function expectPaidUnchanged({ exchange, model, report }: RuleContext): void {
  const { operation, outcome } = exchange
  const id = findIdInPath(exchange)
  const shownRecord = exchange.records.find((record) => record.id === id)
  if (outcome !== 'accepted' || !shownRecord) return

  const { kind, fields } = shownRecord
  if (findAction(kind, operation?.id) !== 'cancel') return

  // What earlier responses showed of the code.
  const record = model.records.find(kind, shownRecord.id)
  const statusBefore = record && readCertainValue(record, 'status')
  if (!record || statusBefore === undefined || hasConcurrentWrite(exchange, record)) return

  const showsPayment = Boolean(readCertainValue(record, PAYMENT))
  // The newest value of a field is the last one.
  const shownBy = record.fields.get(showsPayment ? PAYMENT : 'status')?.at(-1)?.by
  if (!shownBy) return

  // That a transfer has paid the code is no record of the code yet.
  const isShownAsPaid = statusBefore === PAID && findAction(kind, shownBy.operation) !== undefined
  if (!showsPayment && !isShownAsPaid) return

  report.expect(
    fields.status === statusBefore,
    {
      evidence: exchange,
      cites: citeEarlier(shownBy, `${shownBy.operation} shows that the code is paid`),
      about: 'paid',
    },
    () =>
      `${operation?.id} moved ${withArticle(kind.name)} from ${statusBefore} to ${fields.status}, although it was paid.`,
  )
}

/**
 * Expects that a response does not show a cancelled QR code with all the fields that it had when it was
 * created, as if the cancellation had had no effect.
 */
function expectStillCancelled({ exchange, model, report }: RuleContext): void {
  if (exchange.outcome !== 'accepted') return

  for (const shownRecord of exchange.records) {
    const { kind, id } = shownRecord
    const cancellation = model.consistency.findCancellation(id)
    const record = model.records.find(kind, id)
    const createdFields = model.consistency.findCreatedFields(id)
    if (!cancellation || !record || !createdFields) continue
    if (hasConcurrentWrite(exchange, record)) continue

    // A read directly after the cancellation may lag, and an expired code may look like a new one.
    const { by } = cancellation
    const isLater = by.completeAt < exchange.sentAt && !model.records.isRecent(record, exchange)
    if (!isLater || isExpired(record, { exchange, model })) continue

    report.expect(
      !isDeepStrictEqual(createdFields, readShortFields(shownRecord)),
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
