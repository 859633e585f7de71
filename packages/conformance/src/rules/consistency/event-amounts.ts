import { isObject, type Json, stringAt } from '../../contract/json.ts'
import { declaredKinds, fieldName, isCharge } from '../../contract/kinds.ts'
import { REJECTED_EVENT, SETTLED_EVENT } from '../../contract/words.ts'
import { centavosOf, reaisOf } from '../../model/amounts.ts'
import { type Arrival, isCreditEvent } from '../../model/deliveries.ts'
import { readEndToEndIdOfTransfer } from '../../model/end-to-end-ids.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Model } from '../../model.ts'
import type { Report } from '../../report/report.ts'
import { citeEarlier, type EndContext } from '../rule.ts'
import { listAmountsIn, withoutSign } from './comparisons.ts'

/** A transfer that the service made, and the amount that it has shown of it first. */
interface Payment {
  readonly transfer: Exchange
  shown: ShownAmount | undefined
  /** Whether an event of its receiver was compared. Later ones may be about money that comes back. */
  isCredited: boolean
}

interface ShownAmount {
  readonly centavos: bigint
  /** What has shown it, such as `createTransfer`. */
  readonly by: string
}

/** An object of an event that names a payment, and the amount beside that name. */
interface AmountOfPayment {
  readonly payment: Payment
  readonly centavos: bigint
}

/**
 * Compares the amounts that events show of a transfer with that of its response, wherever the events show them:
 * `{ event: 'payout.done', payload: { transfer: 'tr_1', amount: '0.10' } }`. If the response shows none, all
 * events must show that of the first one.
 *
 * @param alreadyCompared The events whose amount `expectConsistentEvents` has compared with that of the response.
 */
export function expectConsistentEventAmounts(
  { model, report }: EndContext,
  alreadyCompared: ReadonlySet<Arrival>,
): void {
  const paymentsById = mapPaymentsById(model)
  if (paymentsById.size === 0) return

  for (const arrival of model.deliveries.arrivals) {
    if (alreadyCompared.has(arrival) || !isAboutPayment(arrival)) continue

    const isCredit = isCreditEvent(arrival.event)
    const amounts = listAmounts(arrival, paymentsById, model)
    const amountsByPayment = Map.groupBy(amounts, ({ payment }) => payment)
    for (const [payment, amountsOfPayment] of amountsByPayment) {
      // A receiver may get a part of a payment back under its `end_to_end_id`, in a later event.
      const mayBeReturn = isCredit && payment.isCredited
      if (mayBeReturn) continue

      const wholeAmounts = withoutParts(amountsOfPayment, payment)
      for (const amount of wholeAmounts) expectShownAmount(amount, arrival, report)
      if (isCredit) payment.isCredited = true
    }
  }
}

/**
 * The amounts that an event shows of one payment, without those that may be parts of it: an event may name the payment
 * beside its amount, and again beside each fee or entry.
 */
function withoutParts(
  amounts: readonly AmountOfPayment[],
  { shown }: Payment,
): readonly AmountOfPayment[] {
  const differentAmounts = new Set(amounts.map(({ centavos }) => withoutSign(centavos)))
  if (differentAmounts.size === 1) return amounts

  // Nothing says which of them is the whole.
  if (!shown) return []

  const expected = withoutSign(shown.centavos)
  const wholeAmounts = amounts.filter(({ centavos }) => withoutSign(centavos) === expected)
  if (wholeAmounts.length > 0) return wholeAmounts

  const total = amounts.reduce((sum, { centavos }) => sum + centavos, 0n)
  const addsUp = withoutSign(total) === expected
  return addsUp ? [] : amounts
}

/** Whether an event says how a transfer ended, or that its receiver got the money, by its name or what was learned of it. */
function isAboutPayment({ event }: Arrival): boolean {
  return event === SETTLED_EVENT || event === REJECTED_EVENT || isCreditEvent(event)
}

/** Maps the id and the `end_to_end_id` of each transfer to its payment, without those that show two amounts. */
function mapPaymentsById({ deliveries }: Model): ReadonlyMap<string, Payment> {
  const payments = new Map<string, Payment>()
  const ambiguousIds = new Set<string>()
  for (const { kind, id, exchange } of deliveries.changes) {
    if (kind.name !== 'transfer') continue

    const payment = { transfer: exchange, shown: readShownAmount(exchange), isCredited: false }
    const endToEndId = readEndToEndIdOfTransfer(exchange)
    const ids = endToEndId === undefined ? [id] : [id, endToEndId]
    for (const each of ids) {
      const other = payments.get(each)
      if (!other) payments.set(each, payment)
      // A transfer that two responses show may have changed.
      else if (other.shown?.centavos !== payment.shown?.centavos) ambiguousIds.add(each)
    }
  }
  for (const id of ambiguousIds) payments.delete(id)
  return payments
}

function readShownAmount({ responseBody, operation }: Exchange): ShownAmount | undefined {
  const centavos = centavosOf(stringAt(responseBody, '/data/amount'))
  return centavos === undefined ? undefined : { centavos, by: operation?.id ?? 'a response' }
}

/** So many objects and arrays of an event are searched for the ids of payments. An event of 2 MB may have 100,000. */
const MAX_SEARCHED = 5_000
/** An object with more fields is no payment. */
const MAX_FIELDS = 100

/** Lists the amounts that an event shows in the same object as the id of a payment, at any depth. */
function listAmounts(
  arrival: Arrival,
  paymentsById: ReadonlyMap<string, Payment>,
  model: Model,
): readonly AmountOfPayment[] {
  const amountNames = listAmountNames(model)
  const amounts: AmountOfPayment[] = []
  for (const object of listObjects(arrival)) {
    const amount = readAmount(object, amountNames, paymentsById, model)
    if (amount) amounts.push(amount)
  }
  return amounts
}

/** Lists the amounts in reais that an event shows at any depth, whatever they are about. */
export function listShownAmounts(arrival: Arrival, model: Model): readonly bigint[] {
  const amountNames = listAmountNames(model)
  return listObjects(arrival).flatMap((object) => {
    const amountName = amountNames.find((name) => object[name] !== undefined) ?? ''
    return readCentavos(object[amountName]) ?? []
  })
}

/** Lists the objects of an event at any depth, up to the limit. */
function listObjects(arrival: Arrival): readonly Json[] {
  // What is found inside is added to the end.
  const waiting: unknown[] = [arrival.received]
  for (const value of waiting) addInnerValues(value, waiting)
  return waiting.filter(isObject)
}

/** The names of the field with the amount of a transfer: that of the contract, and the one that the service has shown. */
function listAmountNames({ form }: Model): readonly string[] {
  const learned = form.learned.find(({ name }) => name === 'place/transfer/amount')
  return learned ? [fieldName(learned.value), 'amount'] : ['amount']
}

/** Adds the objects and arrays inside a value to a list, unless it is full. */
function addInnerValues(value: unknown, list: unknown[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) {
    if (list.length >= MAX_SEARCHED) return
    if (typeof inner === 'object' && inner !== null) list.push(inner)
  }
}

/** The ids by which all of Pix names a return (devolução), such as `D99999010202611021430kL9mN1pQ2rS`. */
const RETURN_ID = /^D\w{8}\d{12}\w{11}$/

/**
 * Reads the amount of an object that names one payment. Undefined if it names none or several, a return or a QR code,
 * if its amount has another form, or if another amount of it, such as a fee, explains the difference.
 */
function readAmount(
  object: Json,
  amountNames: readonly string[],
  paymentsById: ReadonlyMap<string, Payment>,
  model: Model,
): AmountOfPayment | undefined {
  const amountName = amountNames.find((name) => object[name] !== undefined)
  if (amountName === undefined) return undefined

  const { [amountName]: amount, ...others } = object
  const centavos = readCentavos(amount)
  if (centavos === undefined) return undefined

  const texts = Object.values(object).filter((value) => typeof value === 'string')
  if (texts.length > MAX_FIELDS) return undefined

  const payments = new Set(texts.flatMap((text) => paymentsById.get(text) ?? []))
  const [payment] = payments
  if (!payment || payments.size > 1) return undefined

  const isOfOther = texts.some((text) => RETURN_ID.test(text) || isIdOfCharge(text, model))
  if (isOfOther || isExplained(centavos, others, payment)) return undefined
  return { payment, centavos }
}

/** Reads an amount in reais. Undefined of one without a decimal point, which may be in centavos. */
function readCentavos(amount: unknown): bigint | undefined {
  const hasDecimalPoint = typeof amount === 'string' && amount.includes('.')
  return hasDecimalPoint ? centavosOf(amount) : undefined
}

function isIdOfCharge(text: string, { records }: Model): boolean {
  return declaredKinds.some((kind) => isCharge(kind) && records.find(kind, text) !== undefined)
}

/**
 * Whether another amount of an object, or inside it, explains that it shows another one than the payment has: it is the
 * amount of the payment, or the difference, as a fee is.
 */
function isExplained(centavos: bigint, others: Json, { shown }: Payment): boolean {
  if (!shown) return false

  const expected = withoutSign(shown.centavos)
  const difference = withoutSign(withoutSign(centavos) - expected)
  if (difference === 0n) return false

  return listAmountsIn(others).some((other) => other === expected || other === difference)
}

/** Expects that an event shows the amount that was shown of a payment first. */
function expectShownAmount(
  { payment, centavos }: AmountOfPayment,
  { event, delivery }: Arrival,
  report: Report,
): void {
  payment.shown ??= { centavos, by: `the event ${event}` }
  const { transfer, shown } = payment
  report.expect(
    withoutSign(centavos) === withoutSign(shown.centavos),
    {
      evidence: delivery,
      operation: transfer.operation?.id,
      cites: citeEarlier(transfer.trace, `${shown.by} shows ${reaisOf(shown.centavos)}`),
      about: `${event} amount of the payment that it names`,
    },
    () =>
      `The event ${event} names a payment of ${reaisOf(shown.centavos)}, and shows ${reaisOf(centavos)} as its amount.`,
  )
}
