import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { type Adjustment, type ChargeAmount, centavosOf, dayAt } from '../model/amounts.ts'
import { type Cause, excluded, met, type Requested, spanOf, those } from './cause.ts'

/**
 * Why a QR code may be refused. What needs more than the request is not known before the key was
 * accepted once.
 */
export function chargeCauses(requested: Requested): Cause[] {
  const { sent, operation, by } = requested.exchange
  const { ledger } = requested.model
  const isStatic = operation?.id === 'createStaticQrCode'
  const key = stringAt(sent, '/dict_key')
  const [owner, own] = [ledger.accountOfKey(key ?? ''), by && ledger.accountOf(by)]
  const isOthers = owner !== undefined && own !== undefined && owner !== own
  const found = [
    ...(isStatic ? staticFaults(sent) : dynamicFaults(requested)),
    ...those([[isOthers, invalid('the key of another account')]]),
  ]
  // Whether a service finds ASCII for each character of a text in a code is its own matter.
  if (isStatic && !/^[ -~]*$/.test(stringAt(sent, '/message') ?? '')) return found
  if (found.length > 0 || !by || key === undefined || !ledger.hasKey(by, key)) return found
  return ['invalid_charge', 'field_missing'].map((code) => excluded(code, 'a valid charge'))
}

function staticFaults(sent: unknown): Cause[] {
  const texts = [stringAt(sent, '/message'), stringAt(sent, '/dict_key')]
  return those([
    [centavosOf(valueAt(sent, '/amount')) === 0n, ZERO],
    [[...texts.join('')].length > 73, invalid('a message that leaves no room for the key')],
  ])
}

function dynamicFaults(requested: Requested): Cause[] {
  const { sent, operation } = requested.exchange
  const isDueDate = operation?.id === 'createDueDateQrCode'
  const original = valueAt(sent, '/amount/original')
  return [
    ...those([
      [
        original === undefined,
        missing('original', isDueDate ? 'due-date-fields' : 'immediate-fields'),
      ],
      [centavosOf(original) === 0n, ZERO],
    ]),
    ...(isDueDate ? dueDateFaults(requested) : []),
  ]
}

function dueDateFaults(requested: Requested): Cause[] {
  const { sent } = requested.exchange
  const due = stringAt(sent, '/calendar/due_date')
  const amount: Partial<ChargeAmount> = fieldsOf(valueAt(sent, '/amount'))
  const { deduction, discount, fine, interest } = amount
  const original = centavosOf(amount.original)
  const isWhole = isTooMuch(deduction?.amount, deduction?.modality === '2' ? ALL : original)
  return [
    ...those([
      [due === undefined, missing('due_date', 'due-date-fields')],
      [due !== undefined && due < dayAt(spanOf(requested).from), invalid('a due date in the past')],
      [isWhole, invalid('a deduction of the whole amount or more')],
    ]),
    ...(discount ? discountFaults(discount, original, due) : []),
    ...[deduction, fine, interest].flatMap((it) =>
      it && (it.amount === undefined || it.modality === undefined) ? [missing('amount')] : [],
    ),
  ]
}

function discountFaults(
  { modality, amount, fixedDateDiscount: dates }: Adjustment,
  original: bigint | undefined,
  due: string | undefined,
): Cause[] {
  if (modality === undefined) return [missing('modality')]
  const most = ['2', '5', '6'].includes(modality) ? ALL : original
  const whole = invalid('a discount of the whole amount or more')
  if (modality !== '1' && modality !== '2')
    return those([
      [amount === undefined, missing('amount')],
      [isTooMuch(amount, most), whole],
      [dates !== undefined, invalid('a discount by day with dates')],
    ])
  if (!dates?.length) return [missing('fixedDateDiscount')]
  const isLate = dates.some(({ date }) => due !== undefined && date > due)
  return those([
    [isLate, invalid('a discount dated after the due date')],
    [dates.some((it) => isTooMuch(it.amount, most)), whole],
    [
      dates.some((it) => it.amount === undefined || it.date === undefined),
      missing('amount or date'),
    ],
  ])
}

/** All of an amount, as a percentage. */
const ALL = 10_000n

function isTooMuch(amount: string | undefined, most: bigint | undefined): boolean {
  const value = centavosOf(amount)
  return value !== undefined && most !== undefined && most > 0n && value >= most
}

function invalid(says: string): Cause {
  return met('invalid_charge', says)
}

const ZERO = invalid('an amount of zero')

function missing(name: string, question = 'charge-rules'): Cause {
  return met('field_missing', `no ${name}`, { question })
}
