import { isDeepStrictEqual } from 'node:util'
import type { RequestContext } from '../../causes/cause.ts'
import { mayBeExpired } from '../../causes/codes.ts'
import { findAction } from '../../contract/kinds.ts'
import { PAID } from '../../contract/words.ts'
import { readShortFields } from '../../model/consistency.ts'
import { findIdInPath, type Trace } from '../../model/exchange.ts'
import {
  hasConcurrentWrite,
  type KnownRecord,
  PAYMENT,
  readCertainValue,
} from '../../model/records.ts'
import { findLastTrace } from '../fields.ts'
import { citeEarlier, type RuleContext, withArticle } from '../rule.ts'

/** Expects that a code is not both paid and cancelled, and stays cancelled. */
export function expectConsistentCancellation(context: RuleContext): void {
  expectPaidUnchanged(context)
  expectStillCancelled(context)
}

/**
 * Expects that the cancellation of a QR code that an earlier response showed as paid leaves its status as it
 * was. Does nothing if the request cancels no code, if the cancellation was refused, or if nothing showed a
 * payment.
 */
function expectPaidUnchanged({ exchange, model, report }: RuleContext): void {
  const { operation, outcome } = exchange
  const id = findIdInPath(exchange)
  const shownRecord = exchange.records.find((record) => record.id === id)
  if (outcome !== 'accepted' || !shownRecord) return

  const { kind, fields } = shownRecord
  if (findAction(kind, operation?.id) !== 'cancel') return

  // What was known of the code before this request.
  const recordBefore = model.records.find(kind, shownRecord.id)
  if (!recordBefore || hasConcurrentWrite(exchange, recordBefore)) return

  const statusBefore = readCertainValue(recordBefore, 'status')
  const shownAsPaidBy = findResponseThatShowsPaid(recordBefore)
  if (statusBefore === undefined || !shownAsPaidBy) return

  report.expect(
    fields.status === statusBefore,
    {
      evidence: exchange,
      cites: citeEarlier(shownAsPaidBy, `${shownAsPaidBy.operation} shows that the code is paid`),
      about: 'paid',
    },
    () =>
      `${operation?.id} moved ${withArticle(kind.name)} from ${statusBefore} to ${fields.status}, although it was paid.`,
  )
}

/**
 * Finds the response that last showed a QR code as paid: with a `payment`, or with that status. Undefined if none
 * did: the response to the transfer that paid the code does not show the code.
 */
function findResponseThatShowsPaid(record: KnownRecord): Trace | undefined {
  // Only a paid code has the field `payment`.
  const hasPayment = Boolean(readCertainValue(record, PAYMENT))
  if (hasPayment) return findLastTrace(record, PAYMENT)

  const isPaid = readCertainValue(record, 'status') === PAID
  if (!isPaid) return undefined

  const shownBy = findLastTrace(record, 'status')
  // The operations of a kind of record show the record. `createTransfer` is none of those of a code.
  const showsRecord = findAction(record.kind, shownBy?.operation) !== undefined
  return showsRecord ? shownBy : undefined
}

/**
 * Expects that no response shows a cancelled QR code just as it was created, as if the cancellation had had no
 * effect: at least one field, such as the status, must differ. Only short fields that do not change by themselves count.
 */
function expectStillCancelled({ exchange, model, report }: RuleContext): void {
  if (exchange.outcome !== 'accepted') return

  for (const shownRecord of exchange.records) {
    const { kind, id } = shownRecord
    const cancellation = model.consistency.findCancellation(shownRecord)
    const record = model.records.find(kind, id)
    const createdFields = model.consistency.findCreatedFields(shownRecord)
    if (!cancellation || !record || !createdFields) continue
    // Under a name that is not known, the status may differ all the same.
    if (createdFields.status === undefined) continue

    const { by } = cancellation
    const wasSentAfter = exchange.sentAt > by.completeAt
    if (!wasSentAfter) continue
    if (mayLookNew(record, { exchange, model })) continue

    const looksNew = isDeepStrictEqual(createdFields, readShortFields(shownRecord))
    report.expect(
      !looksNew,
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

/** Whether a cancelled code may be shown as a new one: the read lags, or the code is changed or may be expired. */
function mayLookNew(record: KnownRecord, { exchange, model }: RequestContext): boolean {
  if (hasConcurrentWrite(exchange, record)) return true
  return model.records.isRecent(record, exchange) || mayBeExpired(record, { exchange, model })
}
