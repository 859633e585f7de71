import {
  findDifferentField,
  findNamedTransfer,
  findPayment,
  MAX_TIME_DIFFERENCE_MS,
  readCustomerField,
} from '../causes/payments.ts'
import { behaviour } from '../contract/behaviour.ts'
import { isFilled, isSameValue, stringAt, timeAt, valueAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import { PAID_EVENT } from '../contract/words.ts'
import { type Arrival, isCreditEvent } from '../model/deliveries.ts'
import type { Exchange, Identity } from '../model/exchange.ts'
import { hasSameLetters } from '../model/letters.ts'
import { type KnownRecord, PAYMENT, readCertainValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import {
  ALL_BUT_REQUEST_HEADERS,
  citeStatement,
  DELIVERY_OPERATION,
  type EndContext,
  type Rule,
  type RuleContext,
  withArticle,
} from './rule.ts'

const { events, invariants } = behaviour

const moneyPaid: Rule = {
  id: 'money-paid',
  says: 'A paid QR code shows the payment that its transfer made.',
  advice: 'Store the payment in the transaction that settles its transfer.',
  settles: ['qr-record/payment'],
  needs: ALL_BUT_REQUEST_HEADERS,
  /** Judges the payment of each QR code that a response shows with one. */
  read(exchange, model, report) {
    for (const shownRecord of exchange.records) {
      const showsPayment = canBePaid(shownRecord) && hasPayment(shownRecord)
      if (showsPayment) expectPayment(shownRecord, { exchange, model, report })
    }
  },
}

const PAYMENT_CITES = citeStatement(invariants['payment-of-paid'], 'payment')

/** Whether records of the kind have a payment once they are paid: the contract declares what they show before. */
function canBePaid({ kind: { resource } }: ShownRecord): boolean {
  return resource.defaults?.[`/${PAYMENT}`] !== undefined
}

/** Whether a record shows a payment. One without shows null, or leaves the field out. */
function hasPayment({ fields }: ShownRecord): boolean {
  const payment = fields[PAYMENT]
  return payment !== undefined && payment !== null
}

/**
 * Expects that the payment which a QR code shows agrees with the transfer that paid it, and has a time between the
 * creation and the last change of the code. Without a known transfer, only a wrong time is reported.
 */
function expectPayment(
  { kind, fields }: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  const transfer = findPayingTransfer(fields, model)
  const wrongField = findWrongPaymentField(fields, transfer, model)
  // Somebody at another institution may have paid it.
  if (!transfer && wrongField === undefined) return

  report.expect(
    wrongField === undefined,
    {
      evidence: exchange,
      cites: PAYMENT_CITES,
      about: `payment ${wrongField}`,
      impact: 'high',
    },
    () =>
      `${exchange.operation?.id} shows another ${wrongField} of the payment of ${withArticle(kind.name)} than the transfer that paid it.`,
  )
}

/** Finds the transfer that has paid a QR code. If several may have, the code names the one that has. */
function findPayingTransfer(fields: ShownRecord['fields'], model: Model): Exchange | undefined {
  const emv = stringAt(fields, '/emv')
  if (emv === undefined) return undefined
  return findPayment(emv, model) ?? findNamedTransfer(fields[PAYMENT], emv, model)
}

/** Finds the field of a shown payment that is wrong, such as `amount`; undefined if all are right. */
function findWrongPaymentField(
  fields: ShownRecord['fields'],
  transfer: Exchange | undefined,
  model: Model,
): string | undefined {
  const differentField = transfer && findDifferentField(fields[PAYMENT], transfer, model)
  if (differentField !== undefined) return differentField
  return hasWrongTime(fields) ? 'paid_at' : undefined
}

/** Whether a QR code shows a payment from before its creation, or from after its last change. */
function hasWrongTime(fields: ShownRecord['fields']): boolean {
  const paid = timeAt(fields, `/${PAYMENT}/paid_at`)
  if (paid === undefined) return false

  const created = timeAt(fields, '/created_at')
  const updated = timeAt(fields, '/updated_at')
  const isTooEarly = created !== undefined && paid < created - MAX_TIME_DIFFERENCE_MS
  const isTooLate = updated !== undefined && paid > updated + MAX_TIME_DIFFERENCE_MS
  return isTooEarly || isTooLate
}

const deliveriesReceived: Rule = {
  id: 'deliveries-received',
  says: 'The events of a payment show the transfer that made it: what was paid, by whom and for what, with one end_to_end_id.',
  advice: 'Build the events of a payment from its transfer, in the transaction that settles it.',
  settles: ['event-kinds/received'],
  /**
   * Compares the two kinds of events about a payment with its transfer: that of the credited account, and
   * that of the paid QR code.
   */
  end(model, report) {
    const endToEndIds = mapPaymentsByCode(model)
    for (const arrival of model.deliveries.arrivals) {
      if (isCreditEvent(arrival.event)) expectCreditEvent(arrival, endToEndIds, { model, report })
      else if (arrival.event === PAID_EVENT) expectPaidEvent(arrival, { model, report })
    }
  },
}

/** Maps the id of each paid QR code to the `end_to_end_id` of its payment, as the event of the code shows it. */
function mapPaymentsByCode({ deliveries }: Model): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const { event, record, body } of deliveries.arrivals) {
    const id = stringAt(body, '/data/payment/end_to_end_id')
    if (event === PAID_EVENT && id !== undefined) ids.set(record, id)
  }
  return ids
}

/**
 * Expects that the event of a credit, which the receiver of a payment gets, agrees with the transfer that caused it.
 * If the history does not show the transfer, the event must have the `end_to_end_id` that the event of the paid QR
 * code shows. Does nothing if neither is known.
 *
 * @param endToEndIds The `end_to_end_id` of the payment of each paid QR code, by the id of the code.
 */
function expectCreditEvent(
  arrival: Arrival,
  endToEndIds: ReadonlyMap<string, string>,
  { model, report }: EndContext,
): void {
  // The event of a credit names a payment in place of a record.
  const { body, record: endToEndId } = arrival
  // What the transfer with this id has changed. Undefined if the history does not show the transfer.
  const [change] = model.deliveries.listChanges(endToEndId)
  if (change?.isCertain) {
    const field = findDifferentCreditField(body, change.exchange, model)
    reportEvent(arrival, report, {
      isRight: field === undefined,
      words: `shows another ${field} than the transfer has`,
    })
    return
  }

  const codeId = stringAt(body, '/data/qrcode/id')
  const idOfPaidEvent = codeId === undefined ? undefined : endToEndIds.get(codeId)
  // Somebody at another institution may have paid the code.
  if (idOfPaidEvent === undefined) return

  reportEvent(arrival, report, {
    isRight: idOfPaidEvent === endToEndId,
    words: `shows another end_to_end_id than ${PAID_EVENT} of the same QR code`,
  })
}

/**
 * Expects that the event of a paid QR code shows the payment that its transfer made. Does nothing if the history does
 * not show which transfer paid the code, or if the event shows no payment.
 */
function expectPaidEvent(arrival: Arrival, { model, report }: EndContext): void {
  const emv = findPaidEmv(arrival, model)
  const transfer = emv === undefined ? undefined : findPayment(emv, model)
  const payment = valueAt(arrival.body, `/data/${PAYMENT}`)
  if (!transfer || payment === undefined || payment === null) return

  const field = findDifferentField(payment, transfer, model)
  reportEvent(arrival, report, {
    isRight: field === undefined,
    words: `shows another ${field} of the payment than the transfer has`,
  })
}

/**
 * Finds the text of the QR code that the event of a paid code is about; undefined if no known transfer paid it. Of the
 * requests that changed its record, only the transfer sends the code.
 */
function findPaidEmv({ record }: Arrival, { deliveries }: Model): string | undefined {
  for (const { exchange } of deliveries.listChanges(record)) {
    const emv = stringAt(exchange.requestBody, '/emv')
    if (emv !== undefined) return emv
  }
  return undefined
}

interface EventJudgement {
  readonly isRight: boolean
  /** What the event does if it is not right, such as `shows another amount than the transfer has`. */
  readonly words: string
}

/** Reports the event of a payment as passed or failed, as `isRight` says. */
function reportEvent(
  { delivery, event }: Arrival,
  report: Report,
  { isRight, words }: EventJudgement,
): void {
  report.expect(
    isRight,
    {
      evidence: delivery,
      cites: citeStatement(events[event], 'received'),
      operation: DELIVERY_OPERATION,
      about: `${event} ${words}`,
      impact: 'high',
    },
    () => `The event ${event} ${words}.`,
  )
}

/**
 * Finds the first field of a credit's event that shows something else than the transfer that caused it, such as
 * `amount` or `qrcode/id`: of the payment first, and then of the account, of the code and of the transfer. Undefined
 * if all agree.
 */
function findDifferentCreditField(
  body: unknown,
  transfer: Exchange,
  model: Model,
): string | undefined {
  const data = valueAt(body, '/data')
  const paymentField = findDifferentField(valueAt(data, '/payment'), transfer, model)
  if (paymentField !== undefined) return paymentField
  if (wasPaidAtOtherTime(body)) return 'paid_at'

  // The account that is credited is not that of the payer.
  const creditedAccount = stringAt(data, '/account_id')
  const payerAccount = stringAt(transfer.responseBody, '/data/account_id')
  if (creditedAccount !== undefined && creditedAccount === payerAccount) return 'account_id'

  // The event of a transfer that pays no code has null.
  const code = findPaidCode(transfer, model)
  const hasNoCode = valueAt(data, '/qrcode') === null
  if (code && hasNoCode) return 'qrcode'

  const expected = {
    ...listTransferFields(transfer, code),
    ...listReceiverFields(transfer, code, model),
  }
  for (const [pointer, value] of Object.entries(expected)) {
    const shown = valueAt(data, pointer)
    if (shown !== undefined && !agreesWith(value, shown)) return pointer.slice(1)
  }
  return undefined
}

/** Whether an event shows another time of its payment than its own time; false if one is not shown. */
function wasPaidAtOtherTime(body: unknown): boolean {
  const paid = timeAt(body, '/data/payment/paid_at')
  const happened = timeAt(body, '/timestamp')
  if (paid === undefined || happened === undefined) return false
  return Math.abs(paid - happened) > MAX_TIME_DIFFERENCE_MS
}

/** Finds the code of this history that a transfer pays. */
function findPaidCode({ requestBody }: Exchange, { records }: Model): KnownRecord | undefined {
  return records.findByCode(stringAt(requestBody, '/emv'))[0]
}

/** Expected values by their pointers: `{ '/tx_id': 'A1', '/qrcode': null }`. */
type ExpectedFields = Readonly<Record<string, unknown>>

/**
 * Lists the values that the event of a credit must show of its transfer, and of the QR code that was paid,
 * by their pointers: `{ '/tx_id': 'A1', '/qrcode': null }`.
 */
function listTransferFields(
  { requestBody, responseBody }: Exchange,
  code: KnownRecord | undefined,
): ExpectedFields {
  // Of a transfer without a text, the event shows an empty one.
  const description = stringAt(requestBody, '/description') ?? ''
  if (!code) {
    return {
      '/tx_id': stringAt(responseBody, '/data/tx_id'),
      '/description': description,
      '/dict_key': stringAt(requestBody, '/dict_key'),
      '/qrcode': null,
    }
  }
  return {
    '/tx_id': readCertainValue(code, 'tx_id'),
    '/description': description,
    '/dict_key': readCertainValue(code, 'dict_key'),
    '/qrcode/id': code.id,
    // A static code shows no kind.
    '/qrcode/kind': readCertainValue(code, 'kind'),
  }
}

/**
 * Lists the values that the event of a credit must show of the receiver: `{ '/account_id': … }`, the account that a
 * look-up showed of the receiver, or else the one that it has paid from. None if the history does not show whose
 * code or key was paid.
 */
function listReceiverFields(
  transfer: Exchange,
  code: KnownRecord | undefined,
  model: Model,
): ExpectedFields {
  const receiver = findOwnerOfPaidKey(transfer, code, model) ?? code?.owner
  if (!receiver) return {}

  const lookedUpAccount = readCustomerField('account_id', receiver, model)
  const accountPaidFrom = model.ledger.findPayer(receiver)
  return { '/account_id': lookedUpAccount ?? accountPaidFrom }
}

/**
 * Finds who owns the key that a transfer pays, or that of the code which it pays. Undefined if it pays none, or nobody
 * known has it.
 */
function findOwnerOfPaidKey(
  { requestBody }: Exchange,
  code: KnownRecord | undefined,
  { ledger }: Model,
): Identity | undefined {
  const key = code ? readCertainValue(code, 'dict_key') : stringAt(requestBody, '/dict_key')
  return typeof key === 'string' ? ledger.findReceiver(key) : undefined
}

/** Whether a shown value agrees with the expected one. If none is known, every value agrees. */
function agreesWith(expected: unknown, shown: unknown): boolean {
  if (expected === undefined || isSameValue(expected, shown)) return true
  // Another rule judges how a text is written, such as without accents.
  if (hasSameLetters(String(expected), String(shown))) return true
  // Another rule judges null, or a word for no value such as `n/a`, in place of an empty string.
  const isNoneExpected = typeof expected === 'string' && !isFilled(expected)
  const isNoneShown = shown === null || (typeof shown === 'string' && !isFilled(shown))
  return isNoneExpected && isNoneShown
}

export const paymentRules = [moneyPaid, deliveriesReceived]
