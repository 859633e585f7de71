import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import type { Adjustment, ChargeAmount } from '../model/amounts.ts'
import { centavosOf, dayAt } from '../model/amounts.ts'
import { type Cause, type Requested, spanOf } from './cause.ts'

/** Why a QR code may be refused. What needs more than the request is not known before the key was accepted once. */
export function chargeCauses(requested: Requested): Cause[] {
  const { exchange, model } = requested
  const found = [...faultsIn(requested), ...keyCauses(requested)]
  const [key, { by }] = [stringAt(exchange.sent, '/dict_key'), exchange]
  // Whether a service finds ASCII for each character of a text in a code is its own matter.
  if (exchange.operation?.id === 'createStaticQrCode' && !isAscii(exchange.sent)) return found
  if (found.length > 0 || !by || key === undefined || !model.ledger.hasKey(by, key)) return found
  return ['invalid_charge', 'field_missing'].map((code) => ({ code, says: 'a valid charge', applies: false }))
}

function isAscii(sent: unknown): boolean {
  return /^[ -~]*$/.test(stringAt(sent, '/message') ?? '')
}

function faultsIn(requested: Requested): Cause[] {
  const { exchange } = requested
  if (exchange.operation?.id === 'createStaticQrCode') return staticFaults(exchange.sent)
  const isDueDate = exchange.operation?.id === 'createDueDateQrCode'
  const original = valueAt(exchange.sent, '/amount/original')
  const amount =
    original === undefined
      ? [missing('original', isDueDate ? 'due-date-fields' : 'immediate-fields')]
      : centavosOf(original) === 0n
        ? [invalid('an amount of zero')]
        : []
  return isDueDate ? [...amount, ...dueDateFaults(requested)] : amount
}

function staticFaults(sent: unknown): Cause[] {
  const length = ['/message', '/dict_key'].reduce(
    (sum, it) => sum + [...(stringAt(sent, it) ?? '')].length,
    0,
  )
  return [
    ...(centavosOf(valueAt(sent, '/amount')) === 0n ? [invalid('an amount of zero')] : []),
    ...(length > 73 ? [invalid('a message that leaves no room for the key')] : []),
  ]
}

function dueDateFaults(requested: Requested): Cause[] {
  const { sent } = requested.exchange
  const due = stringAt(sent, '/calendar/due_date')
  const { deduction, discount, fine, interest } = fieldsOf(
    valueAt(sent, '/amount'),
  ) as unknown as Partial<ChargeAmount>
  const original = centavosOf(valueAt(sent, '/amount/original'))
  const isPast = due !== undefined && due < dayAt(spanOf(requested).from)
  const isToday = due !== undefined && due >= dayAt(spanOf(requested).to)
  return [
    ...(due === undefined ? [missing('due_date', 'due-date-fields')] : []),
    ...(isPast ? [invalid('a due date in the past')] : due === undefined || isToday ? [] : []),
    ...(isTooMuch(deduction?.amount, { original, isPercent: deduction?.modality === '2' })
      ? [invalid('a deduction of the whole amount or more')]
      : []),
    ...(discount ? discountFaults(discount, { original, due }) : []),
    ...[deduction, fine, interest].flatMap((it) =>
      it && (it.amount === undefined || it.modality === undefined) ? [missing('amount', 'charge-rules')] : [],
    ),
  ]
}

interface Limits {
  readonly original: bigint | undefined
  readonly due: string | undefined
}

function discountFaults(
  { modality, amount, fixedDateDiscount }: Adjustment,
  { original, due }: Limits,
): Cause[] {
  if (modality === undefined) return [missing('modality', 'charge-rules')]
  const isPercent = modality === '2' || modality === '5' || modality === '6'
  const isTooLarge = (it: string | undefined) => isTooMuch(it, { original, isPercent })
  if (modality !== '1' && modality !== '2') {
    if (amount === undefined) return [missing('amount', 'charge-rules')]
    return isTooLarge(amount) ? [invalid('a discount of the whole amount or more')] : []
  }
  if (!fixedDateDiscount?.length) return [missing('fixedDateDiscount', 'charge-rules')]
  const isLate = fixedDateDiscount.some(({ date }) => due !== undefined && date > due)
  const isLarge = fixedDateDiscount.some((it) => isTooLarge(it.amount))
  const isPart = fixedDateDiscount.some((it) => it.amount === undefined || it.date === undefined)
  return [
    ...(isLate ? [invalid('a discount dated after the due date')] : []),
    ...(isLarge ? [invalid('a discount of the whole amount or more')] : []),
    ...(isPart ? [missing('amount or date', 'charge-rules')] : []),
  ]
}

function isTooMuch(
  amount: string | undefined,
  { original, isPercent }: { readonly original: bigint | undefined; readonly isPercent: boolean },
): boolean {
  const [value, most] = [centavosOf(amount), isPercent ? 10_000n : original]
  return value !== undefined && most !== undefined && most > 0n && value >= most
}

/** The key of an account that is known to be another one than that of the sender. */
function keyCauses({ exchange, model: { ledger } }: Requested): Cause[] {
  const key = stringAt(exchange.sent, '/dict_key') ?? ''
  const [of, own] = [ledger.accountOfKey(key), exchange.by && ledger.accountOf(exchange.by)]
  if (of === undefined || own === undefined || of === own) return []
  return [invalid('the key of another account')]
}

function invalid(says: string): Cause {
  return { code: 'invalid_charge', says, applies: true }
}

function missing(name: string, question: string): Cause {
  return { code: 'field_missing', says: `no ${name}`, applies: true, question }
}
