import { tryDecode } from '@partner-payments/brcode'
import { MAX_TIME_DIFFERENCE_MS } from '../causes/payments.ts'
import type { Invariant } from '../contract/behaviour.ts'
import {
  isFilled,
  isSameShown,
  isSameValue,
  type Json,
  parseTime,
  stringAt,
  timeAt,
  valueAt,
} from '../contract/json.ts'
import type { ShownSchema } from '../contract/shown-schemas.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import type { Exchange } from '../model/exchange.ts'
import { normalizeLetters } from '../model/letters.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import { canReadImage, compareImage } from './code-image.ts'
import { classifyAmountDifference } from './difference.ts'
import { quote } from './rule.ts'
import { isSameOrMasked } from './tax-ids.ts'
import { compareTxIds } from './tx-ids.ts'

/** The result of a check where the fields agree. */
export const AGREES = ''

/** The result of a check that has nothing to compare. */
export const NOTHING_TO_COMPARE = undefined

/**
 * What each check below returns: `AGREES`, `NOTHING_TO_COMPARE`, or what is wrong, such as `/total as
 * 12.00, and its parts add up to 13.00`.
 */
type CheckResult = string | Fault | typeof NOTHING_TO_COMPARE

/** One of several things that a check may find wrong. */
export interface Fault {
  readonly says: string
  /** Distinguishes it in the id of the finding, such as `amount`. */
  readonly about?: string
  /** What the response shows at another place, if it contradicts itself, whatever the contract assumes. */
  readonly contradicts?: string
}

/** How an invariant is checked. */
export interface Check {
  /** The fields that it reads. */
  readonly fields: readonly string[]
  readonly run: (instance: ShownInstance) => CheckResult
}

/**
 * Creates the check of a declared invariant, which is a relation between fields that must hold in every response.
 * Each invariant has one of eight kinds, such as `sum`: a total is the sum of its parts.
 *
 * @example
 * createCheck('transfer-envelope', { equal: ['/id', '/data/id'], … })
 * // { fields: ['/id', '/data/id'], run: … }, whose `run` says what is wrong with a shown value, such as
 * // `/data/id as "tr_2" beside /id "tr_1"`, or AGREES
 */
export function createCheck(name: string, declared: Invariant): Check {
  const { equal, sum, notBefore, filledWhen, formOf, unique, sameFor, named } = declared

  // Each check reads `schema.value`: what a response shows where it has the schema of the invariant.

  if (equal) {
    return { fields: equal, run: ({ schema }) => checkEqual(equal, schema.value) }
  }

  if (sum) {
    const fields = [sum.total, ...sum.plus, ...sum.minus]
    return { fields, run: ({ schema }) => checkSum(sum, schema.value) }
  }

  if (notBefore) {
    return { fields: notBefore, run: ({ schema }) => checkOrder(notBefore, schema.value) }
  }

  if (filledWhen) {
    const fields = [filledWhen.field, ...Object.keys(filledWhen.is)]
    return { fields, run: ({ schema }) => checkFilled(filledWhen, schema) }
  }

  if (formOf) {
    const fields = [formOf.field, formOf.of]
    return { fields, run: ({ schema }) => checkForm(formOf, schema.value) }
  }

  if (unique) {
    return { fields: unique, run: (instance) => checkUnique(name, unique, instance) }
  }

  if (sameFor) {
    return { fields: sameFor.fields, run: (instance) => checkSameByKey(name, sameFor, instance) }
  }

  if (named) {
    const fields = Object.values(named.fields)
    return { fields, run: (instance) => checkByName(named, instance) }
  }

  return { fields: [], run: () => NOTHING_TO_COMPARE }
}

/** A value that a schema describes, and where it was shown. */
export interface ShownInstance {
  readonly schema: ShownSchema
  /** Undefined for an event. */
  readonly exchange: Exchange | undefined
  readonly model: Model
}

/** Checks that all fields show the same value. */
function checkEqual(fields: readonly string[], value: Json): CheckResult {
  const [first = '', ...others] = fields
  const expected = valueAt(value, first)
  if (expected === undefined) return NOTHING_TO_COMPARE

  for (const other of others) {
    const shown = valueAt(value, other)
    if (shown === undefined) return NOTHING_TO_COMPARE
    if (!isSameValue(expected, shown))
      return `${other} as ${quote(shown)} beside ${first} ${quote(expected)}`
  }
  return AGREES
}

type Sum = NonNullable<Invariant['sum']>

/** Checks that a total is the sum of its parts. `sum` names the fields: `total`, `plus` and `minus`. */
function checkSum(sum: Sum, value: Json): CheckResult {
  const { total, plus, minus } = sum
  const invalid = [total, ...plus, ...minus].find((field) => isInvalidAmount(valueAt(value, field)))
  if (invalid !== undefined) return `${invalid} as an invalid amount`

  const amounts = compareTotals(sum, value)
  if (!amounts) return NOTHING_TO_COMPARE

  const { shown, expected } = amounts
  if (shown === expected) return AGREES
  return `${total} as ${reaisOf(shown)}, and its parts add up to ${reaisOf(expected)}`
}

/** Says how a total differs from the sum of its parts, in a word; empty if it cannot be compared. */
export function describeSumDifference(sum: Sum, value: Json): string {
  const amounts = compareTotals(sum, value)
  return amounts ? classifyAmountDifference(amounts.expected, amounts.shown) : ''
}

interface Totals {
  readonly shown: bigint
  readonly expected: bigint
}

/**
 * Reads the total that a value shows, and calculates the one expected from its parts, both in centavos. Undefined
 * if a field is no amount, or if the reductions (`minus`) take away all of the first part, the original amount.
 */
function compareTotals({ total, plus, minus }: Sum, value: Json): Totals | undefined {
  const added = readAmounts(plus, value)
  const subtracted = readAmounts(minus, value)
  const shown = centavosOf(valueAt(value, total))
  if (!added || !subtracted || shown === undefined) return undefined

  const [original = 0n] = added
  const reduction = addUp(subtracted)
  // The contract does not say what is left if everything is taken away.
  if (reduction > 0n && reduction >= original) return undefined
  return { shown, expected: addUp(added) - reduction }
}

function isInvalidAmount(shown: unknown): boolean {
  return typeof shown === 'string' && isFilled(shown) && !/^-?\d+(\.\d+)?$/.test(shown)
}

/** Reads amounts in centavos; undefined if one of them is not an amount. */
function readAmounts(pointers: readonly string[], value: Json): readonly bigint[] | undefined {
  const amounts: bigint[] = []
  for (const pointer of pointers) {
    const amount = centavosOf(valueAt(value, pointer))
    if (amount === undefined) return undefined
    amounts.push(amount)
  }
  return amounts
}

function addUp(amounts: readonly bigint[]): bigint {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

/** Checks that the times of some fields are in order: each is that of the field before it, or later. */
function checkOrder(fields: readonly string[], value: Json): CheckResult {
  const invalid = fields.find((field) => isInvalidTime(valueAt(value, field)))
  if (invalid !== undefined) return `${invalid} as an invalid time`

  const [first = '', ...others] = fields
  let earlier = first
  for (const field of others) {
    const time = timeAt(value, field)
    const earlierTime = timeAt(value, earlier)
    if (time === undefined || earlierTime === undefined) return NOTHING_TO_COMPARE

    // One of them may be rounded, such as to the second.
    const isSameTime = isSameShown(valueAt(value, field), valueAt(value, earlier))
    if (time < earlierTime && !isSameTime) return `${field} before ${earlier}`
    earlier = field
  }
  return AGREES
}

function isInvalidTime(shown: unknown): boolean {
  return typeof shown === 'string' && isFilled(shown) && Number.isNaN(parseTime(shown))
}

/**
 * Checks that a field has a value in some states, and is empty in the others. By `{ field: '/payment', is:
 * { '/status': ['CONCLUIDA'] } }`, a QR code has a payment if and only if its status is `CONCLUIDA`.
 */
function checkFilled(
  { field, is }: NonNullable<Invariant['filledWhen']>,
  { value, required }: ShownSchema,
): CheckResult {
  // `is` has one entry: the field with the state, and the states in which `field` is filled.
  const [condition] = Object.entries(is)
  if (!condition) return NOTHING_TO_COMPARE

  const [stateField, filledStates] = condition
  const state = valueAt(value, stateField)
  if (state === undefined) return NOTHING_TO_COMPARE

  const shown = valueAt(value, field)
  // Another rule reports a required field that is missing.
  const isMissing = shown === undefined && required.includes(field.slice(1))
  if (isMissing) return NOTHING_TO_COMPARE

  const mustBeFilled = filledStates.includes(state)
  if (hasValue(shown) === mustBeFilled) return AGREES
  const expected = mustBeFilled ? 'filled' : 'empty'
  return `${field} as ${quote(shown)} beside ${stateField} ${quote(state)}; expected it ${expected}`
}

/** An empty field has null or an empty string, or is left out. */
function hasValue(shown: unknown): boolean {
  if (shown === undefined || shown === null) return false
  return typeof shown !== 'string' || isFilled(shown)
}

type FormOf = NonNullable<Invariant['formOf']>

/** Checks that a field names the form in which another field is written: `CPF` beside eleven digits. */
function checkForm(formOf: FormOf, value: Json): CheckResult {
  const { field, of } = formOf
  const shown = valueAt(value, field)
  const expected = findWordOfForm(formOf, value)
  if (shown === undefined || expected === undefined) return NOTHING_TO_COMPARE

  if (String(shown) === expected) return AGREES
  const text = stringAt(value, of)
  return `${field} as ${quote(shown)} beside ${of} ${quote(text)}; expected ${expected}`
}

/**
 * Finds the word that names the form of a field, such as `CPF` for eleven digits; undefined if the field
 * has none of the forms. `forms` maps each word to a regular expression.
 */
export function findWordOfForm({ of, forms }: FormOf, value: Json): string | undefined {
  const written = stringAt(value, of)
  if (written === undefined) return undefined

  // A word for no value may stand for an empty string. Another rule judges such words.
  const text = isFilled(written) ? written : ''
  for (const [word, form] of Object.entries(forms)) {
    if (new RegExp(form).test(text)) return word
  }
  return undefined
}

/**
 * Checks that no earlier record has the same value in a field that is unique.
 *
 * @param name The invariant, by whose name the model remembers the values of earlier records.
 */
function checkUnique(
  name: string,
  fields: readonly string[],
  { schema: { value }, exchange, model }: ShownInstance,
): CheckResult {
  // A service that accepts a one-time value again may return the record that has it.
  if (exchange && model.values.isRepeated(exchange)) return NOTHING_TO_COMPARE

  const id = stringAt(value, '/id')
  if (id === undefined) return NOTHING_TO_COMPARE

  for (const field of fields) {
    const shown = stringAt(value, field)
    if (!shown) return NOTHING_TO_COMPARE

    const idWithSameValue = model.sharedValues.findIdWith(name, field, shown)
    const isOfOther = idWithSameValue !== undefined && idWithSameValue !== id
    if (isOfOther) return `the ${field} of an earlier record`
  }
  return AGREES
}

/**
 * Checks that some fields show what an earlier response showed beside the same value of a key field. By `{ value:
 * '/account_id', fields: ['/payer/tax_id'] }`, an account has one owner, wherever it is shown.
 *
 * @param name The invariant, by whose name the model remembers the earlier values.
 */
function checkSameByKey(
  name: string,
  { value: keyField, fields }: NonNullable<Invariant['sameFor']>,
  { schema: { value }, model }: ShownInstance,
): CheckResult {
  // The shown value of the key field, such as that of an account.
  const key = stringAt(value, keyField)
  if (!key) return NOTHING_TO_COMPARE

  for (const field of fields) {
    const shown = valueAt(value, field)
    const earlier = model.sharedValues.findValue(name, field, key)
    if (shown === undefined || earlier === undefined) continue
    if (!isSameOrMasked(field, earlier, shown))
      return `${field} as ${quote(shown)}; expected ${quote(earlier)}, as earlier for this ${keyField}`
  }
  return AGREES
}

type Named = NonNullable<Invariant['named']>

/**
 * Runs a check that a declaration cannot express, by the name that the contract gives it: that of a
 * payment code, of its image, or of an `end_to_end_id`.
 */
function checkByName({ check, fields }: Named, instance: ShownInstance): CheckResult {
  const readField = (name: string) => {
    const pointer = fields[name]
    return pointer === undefined ? undefined : stringAt(instance.schema.value, pointer)
  }

  if (check === 'payment-code') return checkPaymentCode(readField)
  if (check === 'code-image') return checkImage(readField, instance)
  return checkEndToEndId(readField, instance)
}

/** Reads the string of a field by the name that the check has for it. */
type ReadField = (name: string) => string | undefined

/** Checks that a payment code has in it the values that its record shows. */
function checkPaymentCode(readField: ReadField): CheckResult {
  const emv = readField('emv')
  if (emv === undefined) return NOTHING_TO_COMPARE

  const decoded = tryDecode(emv)
  if (!decoded.ok) return 'a payment code that cannot be decoded'
  if (decoded.code.kind === 'static') return checkStaticCode(decoded.code, readField)

  // The code of a charge has only the address (location) at which the payer reads the amount.
  const location = readField('location')
  if (location === undefined || !('location' in decoded.code)) return AGREES
  if (decoded.code.location === location) return AGREES
  return 'a payment code with another location than its record'
}

type PaymentCode = Extract<ReturnType<typeof tryDecode>, { readonly ok: true }>['code']
type StaticCode = Extract<PaymentCode, { readonly kind: 'static' }>

/** Checks that a static code has the message, amount, `tx_id` and key of its record. */
function checkStaticCode(code: StaticCode, readField: ReadField): CheckResult {
  // A code may leave out an amount of zero, or an empty `tx_id`.
  const amountOfCode = centavosOf(code.amount) ?? 0n
  const amountOfRecord = centavosOf(readField('amount')) ?? 0n
  if (amountOfCode !== amountOfRecord) {
    const says = 'a payment code with another amount than its record'
    // Zero may leave the amount to the payer.
    const areBothFixed = amountOfCode > 0n && amountOfRecord > 0n
    const contradicts = `its record has the amount ${reaisOf(amountOfRecord)}, and its code ${reaisOf(amountOfCode)}`
    return { says, about: 'amount', ...(areBothFixed && { contradicts }) }
  }

  const keyOfRecord = readField('key') ?? ''
  if (code.key !== keyOfRecord) {
    const says = 'a payment code with another key than its record'
    const isOtherKey = !isSameKeyInOtherForm(code.key, keyOfRecord)
    const contradicts = 'its record has another key than its code'
    return { says, about: 'key', ...(isOtherKey && { contradicts }) }
  }

  const txIdOfCode = code.txid ?? ''
  const txIdOfRecord = readField('tx_id') ?? ''
  if (txIdOfCode !== txIdOfRecord) {
    const says = 'a payment code with another tx_id than its record'
    // A service may leave the tx_id out of the code, or of the record.
    const areTwoPayments = compareTxIds(txIdOfCode, txIdOfRecord) === 'different'
    const contradicts = 'its record has another tx_id than its code'
    return { says, about: 'tx_id', ...(areTwoPayments && { contradicts }) }
  }

  // A service may shorten the message of a code, and write it without accents.
  const hasMessage = isFilled(readField('message') ?? '')
  const isMessageMissing = hasMessage && code.message === undefined
  if (isMessageMissing)
    return { says: 'a payment code without the message of its record', about: 'message' }
  return AGREES
}

/** Whether two keys may be the same: without signs and capitals, or if one of them is missing or partly hidden. */
function isSameKeyInOtherForm(one: string, other: string): boolean {
  const isAnyUnknown = one === '' || other === '' || one.includes('*') || other.includes('*')
  return isAnyUnknown || normalizeLetters(one) === normalizeLetters(other)
}

/** Reading an image takes time, so the first records of a kind stand for all. */
const MAX_IMAGES = 4

/**
 * Checks that the image of a new QR code can be read and holds its payment code. Only the first four records of a
 * kind are checked, since that takes time, and no image that is too large to read.
 */
function checkImage(readField: ReadField, { schema, exchange, model }: ShownInstance): CheckResult {
  // A list or a look-up shows older codes.
  if (exchange?.operation?.role !== 'create') return NOTHING_TO_COMPARE

  const record = exchange.records.find(({ at }) => at === schema.at)
  if (!record) return NOTHING_TO_COMPARE

  const recordsBefore = model.records.listOfKind(record.kind).length
  if (recordsBefore >= MAX_IMAGES) return NOTHING_TO_COMPARE

  const image = readField('image')
  const emv = readField('emv')
  if (image === undefined || emv === undefined || !canReadImage(image)) return NOTHING_TO_COMPARE

  const result = compareImage(image, emv)
  if (result === 'unknown') return NOTHING_TO_COMPARE
  return result === 'agrees' ? AGREES : `an image that ${result.problem}`
}

/** E, the ISPB of an institution, a minute in UTC, and 11 letters or digits. */
const END_TO_END_ID =
  /^E.{8}(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)(?<minute>\d\d)[A-Za-z0-9]{11}$/

/**
 * Checks that the `end_to_end_id` of a new transfer names the institution of the payer by its number
 * (ISPB), and a time near that of the transfer.
 */
function checkEndToEndId(readField: ReadField, { exchange, model }: ShownInstance): CheckResult {
  const id = readField('id')
  if (id === undefined) return NOTHING_TO_COMPARE
  // An event or a read may show an older transfer.
  const isNew = exchange !== undefined && exchange.operation?.effect !== 'read'
  if (!isNew) return NOTHING_TO_COMPARE

  // Without the ISPB of the payer, any institution is right.
  const ispb = readField('ispb') ?? ''
  const isOfPayer = id.startsWith(`E${ispb}`)
  if (isOfPayer && namesTimeOf(exchange, id, model)) return AGREES
  return 'an end_to_end_id that does not name the institution of the payer and a time within 90 minutes'
}

/** Whether an end_to_end_id names a minute at most 90 minutes before or after the response that shows it. */
function namesTimeOf(exchange: Exchange, id: string, model: Model): boolean {
  const namedTime = readNamedTime(id)
  if (namedTime === undefined) return false
  // The clock of a recorder does not show when the service responded.
  if (!hasCertainTime(exchange)) return true

  return Math.abs(namedTime - model.timeAt(exchange.completeAt)) <= MAX_TIME_DIFFERENCE_MS
}

/**
 * Reads the minute that an end_to_end_id names, in milliseconds since 1970: 10:45 of 30 November 2026 in
 * `E12345678202611301045…`. Undefined if it names none, such as one of month 13.
 */
function readNamedTime(id: string): number | undefined {
  const parts = END_TO_END_ID.exec(id)?.groups
  if (!parts) return undefined

  const { year, month, day, hour, minute } = parts
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(time) ? undefined : time
}
