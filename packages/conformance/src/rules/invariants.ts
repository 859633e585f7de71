import { tryDecode } from '@partner-payments/brcode'
import { MAX_TIME_DIFFERENCE_MS } from '../causes/payments.ts'
import { behaviour, type Invariant } from '../contract/behaviour.ts'
import { isFilled, isSameValue, type Json, stringAt, timeAt, valueAt } from '../contract/json.ts'
import { deliverySchemas, responseSchemas, type ShownSchema } from '../contract/shown-schemas.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import type { Arrival } from '../model/deliveries.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Case, Report } from '../report/report.ts'
import { imageProblem } from './code-image.ts'
import { cited, DELIVERY_OPERATION, quoted, type Reading, type Rule } from './rule.ts'

const [ofImages, ofFields] = partition(Object.entries<Invariant>(behaviour.invariants))

const responsesAgree: Rule = {
  id: 'responses-agree',
  says: 'The fields of a response or of an event agree with each other, as the contract declares.',
  advice: 'Show a record by one function, and compare it with this entry of spec/behaviour.',
  settles: ['code-value-change/', 'user-relation/'],

  read(exchange, model, report) {
    expectOfResponse(ofFields, { exchange, model, report })
  },

  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const isMisshaped = isAtAny(differencesIn(arrival, model))
      for (const schema of deliverySchemas(model.contract, arrival.event, arrival.body)) {
        const about = { schema, isMisshaped, exchange: undefined, model }
        const evidence = { evidence: arrival.delivery, operation: DELIVERY_OPERATION }
        expectAll(ofFields, about, { report, evidence })
      }
    }
  },
}

const codesImages: Rule = {
  id: 'codes-images',
  says: 'The image of a QR code is a PNG that holds its payment code.',
  advice: 'Draw the image from the payment code that the response shows.',
  settles: ['static-qrcode-image/'],
  read(exchange, model, report) {
    expectOfResponse(ofImages, { exchange, model, report })
  },
}

type Declared = readonly [name: string, declared: Invariant]

/** The invariants of images, and all others. */
function partition(declared: readonly Declared[]): [Declared[], Declared[]] {
  const isOfImage = ([, { named }]: Declared) => named?.check === 'code-image'
  return [declared.filter(isOfImage), declared.filter((one) => !isOfImage(one))]
}

/** Expects invariants of everything that a response shows. */
function expectOfResponse(
  declared: readonly Declared[],
  { exchange, model, report }: Reading,
): void {
  const { operation, outcome, status, shown, differences } = exchange
  if (!operation || outcome !== 'accepted') return

  const isMisshaped = isAtAny(differences.map(({ pointer }) => pointer))
  for (const schema of responseSchemas(operation, status, shown)) {
    const about = { schema, isMisshaped, exchange, model }
    expectAll(declared, about, { report, evidence: { evidence: exchange } })
  }
}

/** Where a delivery differs from the schema of its event. */
function differencesIn({ delivery: { headers }, body, event }: Arrival, model: Model): string[] {
  const found = model.contract.deliveryDifferences({ name: event, headers, body })
  return found.map(({ pointer }) => pointer)
}

/** Whether a place is one of these, or within one. */
function isAtAny(pointers: readonly string[]) {
  return (place: string) => pointers.some((pointer) => `${place}/`.startsWith(`${pointer}/`))
}

/** A value that a schema describes, and where it was shown. */
interface About {
  readonly schema: ShownSchema
  readonly isMisshaped: (place: string) => boolean
  /** Undefined for an event. */
  readonly exchange: Exchange | undefined
  readonly model: Model
}

interface Reported {
  readonly report: Report
  readonly evidence: Omit<Case, 'cites'>
}

/** Expects every invariant that is declared of a schema. */
function expectAll(all: readonly Declared[], about: About, { report, evidence }: Reported): void {
  const { schema, exchange } = about
  for (const [name, declared] of all) {
    if (!declared.of.includes(schema.name)) continue

    const check = checkOf(name, declared)
    const isShaped = check.fields.every((field) => !about.isMisshaped(schema.at + field))
    const fault = isShaped ? check.fault(about) : undefined
    if (fault === undefined) continue

    const where = exchange ? `${exchange.operation?.id}${schema.at}` : `An event${schema.at}`
    report.expect(
      fault === '',
      { ...evidence, cites: cited(declared), about: name, impact: 'high' },
      () => `${where} shows ${fault} (${name}).`,
    )
  }
}

/** How an invariant is checked. */
interface Check {
  /** The fields that it reads. */
  readonly fields: readonly string[]
  /** What is wrong; empty if nothing is, and undefined if there is no case. */
  readonly fault: (about: About) => string | undefined
}

function checkOf(name: string, declared: Invariant): Check {
  const { equal, sum, notBefore, filledWhen, formOf, unique, sameFor, named } = declared
  if (equal) return { fields: equal, fault: ({ schema }) => unequal(equal, schema.value) }

  if (sum) {
    const fields = [sum.total, ...sum.plus, ...sum.minus]
    return { fields, fault: ({ schema }) => wrongSum(sum, schema.value) }
  }

  if (notBefore)
    return { fields: notBefore, fault: ({ schema }) => wrongOrder(notBefore, schema.value) }

  if (filledWhen) {
    const fields = [filledWhen.field, ...Object.keys(filledWhen.is)]
    return { fields, fault: ({ schema }) => wronglyFilled(filledWhen, schema) }
  }

  if (formOf)
    return {
      fields: [formOf.field, formOf.of],
      fault: ({ schema }) => wrongForm(formOf, schema.value),
    }

  if (unique) return { fields: unique, fault: (about) => sharedValue(name, unique, about) }
  if (sameFor) return { fields: sameFor.fields, fault: (about) => otherValue(name, sameFor, about) }
  if (named) return { fields: Object.values(named.fields), fault: (about) => byName(named, about) }

  return { fields: [], fault: () => undefined }
}

function unequal(fields: readonly string[], value: Json): string | undefined {
  const [first = '', ...others] = fields
  const expected = valueAt(value, first)
  if (expected === undefined) return undefined

  for (const other of others) {
    const shown = valueAt(value, other)
    if (shown === undefined) return undefined
    if (!isSameValue(expected, shown))
      return `${other} as ${quoted(shown)} beside ${first} ${quoted(expected)}`
  }
  return ''
}

function wrongSum(
  { total, plus, minus }: NonNullable<Invariant['sum']>,
  value: Json,
): string | undefined {
  const noAmount = [total, ...plus, ...minus].find((field) => isNoAmount(valueAt(value, field)))
  if (noAmount !== undefined) return `${noAmount} as what is no amount`

  const added = amountsAt(plus, value)
  const taken = amountsAt(minus, value)
  const shown = centavosOf(valueAt(value, total))
  if (!added || !taken || shown === undefined) return undefined

  const [base = 0n] = added
  const reduction = totalOf(taken)
  // The contract does not say what is left if everything is taken away.
  if (reduction > 0n && reduction >= base) return undefined

  const expected = totalOf(added) - reduction
  if (shown === expected) return ''
  return `${total} as ${reaisOf(shown)}, and its parts add up to ${reaisOf(expected)}`
}

function isNoAmount(shown: unknown): boolean {
  return typeof shown === 'string' && isFilled(shown) && !/^-?\d+(\.\d+)?$/.test(shown)
}

/** Undefined if one of them is no amount. */
function amountsAt(pointers: readonly string[], value: Json): readonly bigint[] | undefined {
  const amounts: bigint[] = []
  for (const pointer of pointers) {
    const amount = centavosOf(valueAt(value, pointer))
    if (amount === undefined) return undefined
    amounts.push(amount)
  }
  return amounts
}

function totalOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

function wrongOrder(fields: readonly string[], value: Json): string | undefined {
  const noTime = fields.find((field) => isNoTime(valueAt(value, field)))
  if (noTime !== undefined) return `${noTime} as what is no time`

  const [first = '', ...others] = fields
  let earlier = { field: first, time: timeAt(value, first) }
  for (const field of others) {
    const time = timeAt(value, field)
    if (earlier.time === undefined || time === undefined) return undefined
    if (time < earlier.time) return `${field} before ${earlier.field}`
    earlier = { field, time }
  }
  return ''
}

function isNoTime(shown: unknown): boolean {
  return typeof shown === 'string' && isFilled(shown) && Number.isNaN(Date.parse(shown))
}

function wronglyFilled(
  { field, is }: NonNullable<Invariant['filledWhen']>,
  { value, required }: ShownSchema,
): string | undefined {
  const [[condition, filled] = ['', []]] = Object.entries(is)
  const state = valueAt(value, condition)
  const shown = valueAt(value, field)
  // That a required field is missing is a matter of the shape.
  const isMissing = shown === undefined && required.includes(field.slice(1))
  if (state === undefined || isMissing) return undefined

  const mustBeFilled = filled.includes(state)
  if (hasValue(shown) === mustBeFilled) return ''
  const expected = mustBeFilled ? 'filled' : 'empty'
  return `${field} as ${quoted(shown)} beside ${condition} ${quoted(state)}; expected it ${expected}`
}

/** An empty field has null or an empty string, or is left out. */
function hasValue(shown: unknown): boolean {
  if (shown === undefined || shown === null) return false
  return typeof shown !== 'string' || isFilled(shown)
}

function wrongForm(
  { field, of, forms }: NonNullable<Invariant['formOf']>,
  value: Json,
): string | undefined {
  const shown = valueAt(value, field)
  const text = stringAt(value, of)
  if (shown === undefined || text === undefined) return undefined

  const [expected] = Object.entries(forms).find(([, form]) => new RegExp(form).test(text)) ?? []
  if (expected === undefined) return undefined

  if (String(shown) === expected) return ''
  return `${field} as ${quoted(shown)} beside ${of} ${quoted(text)}; expected ${expected}`
}

function sharedValue(
  name: string,
  fields: readonly string[],
  { schema: { value }, exchange, model }: About,
): string | undefined {
  // A service that accepts a value again may return what the record shows that has it.
  if (exchange && model.values.isRepeated(exchange)) return undefined

  const id = stringAt(value, '/id')
  for (const field of fields) {
    const shown = stringAt(value, field)
    if (id === undefined || !shown) return undefined

    const other = model.sharedValues.idWith(name, field, shown)
    if (other !== undefined && other !== id) return `the ${field} of an earlier record`
  }
  return ''
}

function otherValue(
  name: string,
  { value: key, fields }: NonNullable<Invariant['sameFor']>,
  { schema: { value }, model }: About,
): string | undefined {
  const text = stringAt(value, key)
  if (!text) return undefined

  for (const field of fields) {
    const shown = valueAt(value, field)
    const earlier = model.sharedValues.valueFor(name, field, text)
    if (shown === undefined || earlier === undefined) continue
    if (!isSameValue(earlier, shown))
      return `${field} as ${quoted(shown)}; expected ${quoted(earlier)}, as earlier for this ${key}`
  }
  return ''
}

type Named = NonNullable<Invariant['named']>

/** A check that needs a codec. */
function byName({ check, fields }: Named, about: About): string | undefined {
  const shown = (name: string) => {
    const pointer = fields[name]
    return pointer === undefined ? undefined : stringAt(about.schema.value, pointer)
  }
  if (check === 'payment-code') return wrongCode(shown)
  if (check === 'code-image') return wrongImage(shown, about)
  return wrongEndToEndId(shown, about)
}

/** The string that a named field shows. */
type Show = (name: string) => string | undefined

/** A code has the values that its record shows. It may leave out an amount of zero. */
function wrongCode(shown: Show): string | undefined {
  const emv = shown('emv')
  if (emv === undefined) return undefined

  const decoded = tryDecode(emv)
  if (!decoded.ok) return 'a payment code that cannot be decoded'

  const { code } = decoded
  if (code.kind !== 'static') {
    const location = shown('location')
    const isOther = 'location' in code && location !== undefined && code.location !== location
    return isOther ? 'a payment code with another location than its record' : ''
  }

  // A service may shorten the message of a code, and write it without accents.
  if (isFilled(shown('message') ?? '') && code.message === undefined)
    return 'a payment code without the message of its record'
  if ((centavosOf(code.amount) ?? 0n) !== (centavosOf(shown('amount')) ?? 0n))
    return 'a payment code with another amount than its record'
  if ((code.txid ?? '') !== (shown('tx_id') ?? ''))
    return 'a payment code with another tx_id than its record'
  return code.key === shown('key') ? '' : 'a payment code with another key than its record'
}

/** Reading an image takes time, so the first records of a kind stand for all. */
const MOST_IMAGES = 4

function wrongImage(shown: Show, { schema, exchange, model }: About): string | undefined {
  const record = exchange?.records.find(({ at }) => at === schema.at)
  const isNew = record !== undefined && exchange?.operation?.effect !== 'read'
  const image = shown('image')
  const emv = shown('emv')
  if (!isNew || image === undefined || emv === undefined) return undefined
  if (model.records.of(record.kind).length >= MOST_IMAGES) return undefined

  const problem = imageProblem(image, emv)
  return problem === undefined ? '' : `an image that ${problem}`
}

/** E, the ISPB of an institution, a minute in UTC, and 11 letters or digits. */
const END_TO_END_ID =
  /^E.{8}(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)(?<minute>\d\d)[A-Za-z0-9]{11}$/

/** An end_to_end_id names the institution of the payer, and about the time of the transfer. */
function wrongEndToEndId(shown: Show, { exchange, model }: About): string | undefined {
  const id = shown('id')
  // A later look and an event show a transfer that may be older.
  const isNew = exchange !== undefined && exchange.operation?.effect !== 'read'
  if (id === undefined || !isNew) return undefined

  const now = model.timeAt(exchange.completeAt)
  // Without the ISPB of the payer, any institution is right.
  const isOfPayer = id.startsWith(`E${shown('ispb') ?? ''}`)
  if (isOfPayer && namesTimeNear(id, now)) return ''
  return 'an end_to_end_id that does not name the institution of the payer and a time within 90 minutes'
}

/** Whether an end_to_end_id names a minute at most 90 minutes before or after a time. */
function namesTimeNear(id: string, time: number): boolean {
  const parts = END_TO_END_ID.exec(id)?.groups
  if (!parts) return false

  const { year, month, day, hour, minute } = parts
  const named = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  // False for a month 13, which is no time.
  return Math.abs(named - time) <= MAX_TIME_DIFFERENCE_MS
}

export const invariantRules = [responsesAgree, codesImages]
