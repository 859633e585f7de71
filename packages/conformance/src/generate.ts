import { isDeepStrictEqual } from 'node:util'
import { pointerOf } from '@partner-payments/validator'
import fc from 'fast-check'
import {
  listQueryParameters,
  mergeSchema,
  type Operation,
  readBodySchema,
} from './contract/contract.ts'
import { fieldsOf, type Json, listItems, valueAt, withValue } from './contract/json.ts'
import { UNKNOWN_FIELD } from './contract/unknown-field.ts'
import { addDays, isCalculableDay } from './model/amounts.ts'
import { type Input, pathOf } from './send/requests.ts'

/** An edit of one place of a request: `{ pointer: '/amount', value: '0.00', isValid: false }`. */
export interface Edit {
  /** The pointer of the edit, into the body or the query. */
  readonly pointer: string
  /** Undefined removes what is there. */
  readonly value: unknown
  readonly isValid: boolean
}

/**
 * A copy of a request with edits of its body or, if it has none, of its query. An edit is another value at a
 * place: `{ pointer: '/amount', value: '0.00' }`.
 */
export function applyEdits(input: Input, edits: readonly Pick<Edit, 'pointer' | 'value'>[]): Input {
  if (input.body === undefined) return applyEditsToQuery(input, edits)

  let body: unknown = input.body
  for (const { pointer, value } of edits) body = withValue(body, pointer, value)
  // An edit may leave out the whole body. Undefined would stand for an operation without one.
  return { ...input, body: body ?? null }
}

/** Edits the query of a request. Pointers name its parameters: `/limit` with 7 gives `{ limit: '7' }`. */
function applyEditsToQuery(input: Input, edits: readonly Pick<Edit, 'pointer' | 'value'>[]): Input {
  const query: Record<string, string> = { ...input.query }
  for (const { pointer, value } of edits) {
    const name = pointer.slice(1)
    query[name] = String(value)
  }
  return { ...input, query }
}

/** A place that a schema declares: `{ pointer: '/amount', schema: { type: 'string', … }, sample: '10.00' }`. */
interface Site {
  /** A pointer into the body, or into the query. */
  readonly pointer: string
  readonly schema: Json
  /** What a valid request has there. */
  readonly sample: unknown
}

/** So many edits of one place are sent; fewer if an earlier place has the same pattern. */
const MAX_EDITS = { valid: 8, invalid: 11 }
const MAX_EDITS_AGAIN = { valid: 2, invalid: 4 }

/**
 * Generates edits of a valid request: for each field that the contract declares, values at and beyond the
 * limits of its schema. `isValid` says whether the request stays valid with it:
 * `[{ pointer: '/amount', value: '0.01', isValid: true }, { pointer: '/amount', value: null, isValid: false }]`.
 *
 * @param dates Computes dates relative to today.
 */
export function generateEdits(operation: Operation, valid: Input, dates: Dates): Edit[] {
  const sites = listSitesOfRequest(operation, valid)
  const allEdits: Edit[] = []
  for (const [i, site] of sites.entries()) {
    const values = generateValuesOfSite(site, valid, dates)
    const edits = values.map((value) => createEdit(operation, valid, site.pointer, value))
    // A second field of the same kind, such as another amount, gets fewer edits.
    const isRepeated = sites.slice(0, i).some((earlier) => hasSamePattern(earlier, site))
    allEdits.push(...limitEdits(edits, isRepeated ? MAX_EDITS_AGAIN : MAX_EDITS))
  }
  return allEdits
}

/**
 * Lists the places that the contract declares for the body of a request, such as `/amount`, or, if it has none,
 * for its query, such as `/limit`.
 */
function listSitesOfRequest(operation: Operation, { body }: Input): readonly Site[] {
  const { document } = operation.validator
  if (body !== undefined) return listSites(document, readBodySchema(operation), body)

  const { schema, sample } = queryAsObject(operation)
  // The first site of a query is all of it, which no request can leave out.
  return listSites(document, schema, sample).slice(1)
}

/** Generates other values for a place. In a query, everything is text. */
function generateValuesOfSite({ schema, sample }: Site, { body }: Input, dates: Dates): unknown[] {
  const values = generateValues(schema, sample, dates)
  const isQuery = body === undefined
  return isQuery ? values.filter((value) => typeof value === 'string') : values
}

function createEdit(operation: Operation, valid: Input, pointer: string, value: unknown): Edit {
  const edited = applyEdits(valid, [{ pointer, value }])
  return { pointer, value, isValid: isValidInput(operation, edited) }
}

/** The first edits of each kind, so many of each. */
function limitEdits(edits: readonly Edit[], max: { valid: number; invalid: number }): Edit[] {
  const valid = edits.filter(({ isValid }) => isValid)
  const invalid = edits.filter(({ isValid }) => !isValid)
  return [...valid.slice(0, max.valid), ...invalid.slice(0, max.invalid)]
}

/**
 * Describes the query of an operation like the body of a request: a schema and an example of an object whose
 * fields are the parameters. Leaves out the cursor, which is valid only with the list that it comes from.
 */
function queryAsObject(operation: Operation): { readonly schema: Json; readonly sample: Json } {
  const properties: Record<string, unknown> = {}
  const sample: Record<string, unknown> = {}
  for (const { name, schema, example } of listQueryParameters(operation)) {
    if (name === 'cursor') continue
    properties[String(name)] = schema
    sample[String(name)] = example
  }
  return { schema: { properties }, sample }
}

/** No place is deeper than this. */
const MAX_DEPTH = 12

/**
 * Lists a place and all those inside it that a schema declares, each with the schema that holds there:
 * `/payer`, `/payer/name`, and `/items/0` for all items of a list. A sample need not have them; it only chooses
 * between alternatives such as `oneOf`.
 *
 * @param pointer The place itself. Default: the whole body.
 */
function listSites(document: object, schema: unknown, sample: unknown, pointer = ''): Site[] {
  if (pointer.split('/').length > MAX_DEPTH) return []

  const merged = mergeSchema(document, schema, sample)
  const sites: Site[] = [{ pointer, schema: merged, sample }]
  for (const [name, property] of Object.entries(fieldsOf(merged.properties)))
    sites.push(...listSites(document, property, fieldsOf(sample)[name], pointerOf(pointer, name)))
  if (merged.items)
    sites.push(...listSites(document, merged.items, valueAt(sample, '/0'), `${pointer}/0`))
  return sites
}

function hasSamePattern(one: Site, other: Site): boolean {
  return one.schema.pattern !== undefined && one.schema.pattern === other.schema.pattern
}

/** Whether a request is valid by the contract. */
export function isValidInput(operation: Operation, input: Input): boolean {
  const { method, validator } = operation
  const [path = '', query = ''] = pathOf(operation, input).split('?', 2)
  const { body } = input
  if (body === undefined)
    return validator.validateRequest({ method, path, query, headers: {} }).length === 0

  const headers = { 'content-type': 'application/json' }
  const differences = validator.validateRequest({ method, path, query, headers, body })
  return differences.length === 0
}

/** The time that values depend on: the date in Brazil, some days from now. */
export interface Dates {
  day(days?: number): string
}

/**
 * Generates values for a field at and around the limits of its schema, valid and invalid ones in a mix; the
 * validator decides later which is which. An integer of at most 100 gives `[undefined, null, 100, 101, 7.5, '7',
 * true, [7]]`. Undefined stands for leaving the field out.
 *
 * @param value What a valid request has there, such as 7. It is not among the results.
 */
function generateValues(schema: Json, value: unknown, dates: Dates): unknown[] {
  const types = [schema.type].flat()
  const samples = listItems(schema.examples)
  // The only values that are allowed: `['key', 'emv']`. Empty if others are too.
  const constants = schema.const === undefined ? listItems(schema.enum) : [schema.const]
  const isString = types.includes('string')
  const isNumber = types.includes('integer') || types.includes('number')
  const text = [value, ...samples].find((sample) => typeof sample === 'string') ?? 'x'

  // The most useful ones first: `generateEdits` uses only the first few.
  const candidates: unknown[] = [undefined]
  candidates.push(...samples)
  // A number where the contract has a string: 12.5 for `12.50`.
  if (isString) candidates.push(numberLike(text))
  candidates.push(null)

  // Values of the declared types.
  if (constants.length > 0) candidates.push(...enumValues(constants))
  else if (isString) candidates.push(...generateStrings(schema, text, dates))
  if (isNumber) candidates.push(...generateNumbers(schema, value))
  if (types.includes('boolean')) candidates.push(true, false, 'false', 0)

  if (types.includes('array')) candidates.push(...generateArrays(schema, value))
  // An array where the contract has none.
  else candidates.push([value ?? 'x'])
  if (types.includes('object'))
    candidates.push({}, 'x', { ...fieldsOf(value), [UNKNOWN_FIELD]: 'x' })

  return distinct(candidates).filter((candidate) => !isDeepStrictEqual(candidate, value))
}

/** The first of each value. */
function distinct(values: readonly unknown[]): unknown[] {
  return values.filter(
    (value, i) => values.findIndex((other) => isDeepStrictEqual(other, value)) === i,
  )
}

/** A number in place of a string: 12.5 for `12.50`, and 7 for a text that is no number. */
function numberLike(text: string): number {
  return /^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : 7
}

/** The values of an enum, and words that are almost one of them. */
function enumValues(values: readonly unknown[]): unknown[] {
  const [value = ''] = values
  const word = String(value)
  return [...values, inOtherCase(word), `${word} `, '', 'none', '9']
}

/** A word in small letters if it is in capitals, else in capitals. */
function inOtherCase(word: string): string {
  const isInCapitals = word === word.toUpperCase() && /[A-Z]/.test(word)
  return isInCapitals ? word.toLowerCase() : word.toUpperCase()
}

/**
 * Numbers at and beyond the limits of a schema, ordinary ones, a fraction, and values that only look like a number,
 * such as `'7'` and `true`.
 */
function generateNumbers({ minimum, maximum }: Json, value: unknown): unknown[] {
  const numbers: unknown[] = []
  if (typeof minimum === 'number') numbers.push(minimum, minimum - 1)
  if (typeof maximum === 'number') numbers.push(maximum, maximum + 1)
  else numbers.push(BEYOND_32_BITS)
  // A service with narrower limits refuses those above. Only these then show whether it keeps what is sent.
  if (typeof value === 'number') numbers.push(2 * value, Math.floor(value / 2))
  const sample = value ?? minimum ?? 1
  numbers.push(Number(sample) + 0.5, String(sample), true)
  return numbers
}

const BEYOND_32_BITS = 4_294_967_296

/**
 * Arrays with as many items as allowed, and with more, and values that look like an array: an object whose field is
 * called 0, and a string.
 */
function generateArrays({ maxItems }: Json, value: unknown): unknown[] {
  const [item] = listItems(value)
  const arrays: unknown[] = [[]]
  if (item !== undefined) {
    if (typeof maxItems === 'number')
      arrays.push(Array(maxItems).fill(item), Array(maxItems + 1).fill(item))
    arrays.push([item, misshape(item)])
  }
  // Some parsers of JSON take these for an array.
  arrays.push({ 0: item ?? 'x' }, 'x')
  return arrays
}

/** An item whose fields have another type. */
function misshape(item: unknown): object {
  const names = Object.keys(fieldsOf(item))
  return Object.fromEntries(names.map((name) => [name, 7]))
}

/**
 * Strings at and beyond the limits of a schema: dates or URLs by its format, else strings around its pattern,
 * else strings of the shortest and the longest length, and those that services often break.
 */
function generateStrings(schema: Json, sample: string, dates: Dates): string[] {
  const { pattern, format, minLength, maxLength } = schema
  if (format === 'date') return generateDates(sample, dates)
  if (format === 'uri') return generateUrls(sample, Number(maxLength ?? 2_048))
  if (typeof pattern === 'string')
    return [...textsMatching(pattern), ...taxIdsMatching(new RegExp(pattern)), ...textsLike(sample)]

  // From 1 to 140 characters, the lengths are 1, 0, 140 and 141.
  const min = Number(minLength ?? 0)
  const max = Number(maxLength ?? 255)
  const lengths = [min]
  if (min > 0) lengths.push(min - 1)
  if (maxLength !== undefined) lengths.push(max, max + 1)
  const plainTexts = lengths.map((length) => 'a'.repeat(length))
  return [...plainTexts, ...difficultTexts(max), ...ordinaryTexts(sample)]
}

/**
 * Another text in the form of a sample, such as `70000001` for the ZIP code `70000000` or `SP` for the state `DF`. The
 * contract has no pattern for it, but a service may refuse other forms, and so all difficult texts.
 */
function ordinaryTexts(sample: string): string[] {
  const isState = /^[A-Z]{2}$/.test(sample)
  if (isState) return [sample === 'SP' ? 'RJ' : 'SP']

  const isNumbered = /\d$/.test(sample)
  if (!isNumbered) return []
  const nextDigit = (Number(sample.slice(-1)) + 1) % 10
  return [`${sample.slice(0, -1)}${nextDigit}`]
}

/** Documents of companies, with right check digits. */
const TAX_IDS = ['11222333000181', '12ABC34501DE35']

/** The documents that match a pattern, also in small letters. */
function taxIdsMatching(pattern: RegExp): string[] {
  const matching = TAX_IDS.filter((taxId) => pattern.test(taxId))
  return matching.flatMap((taxId) => [taxId, taxId.toLowerCase()])
}

/**
 * Texts of an allowed length that services often break: with characters of several bytes, which fill the
 * length only if characters are counted and not bytes, and with quotes, a line break and a plus sign.
 */
function difficultTexts(maxLength: number): string[] {
  const words: string[] = []
  // Only short fields are filled, so that requests stay small.
  if (maxLength <= 1_000) {
    words.push('💰'.repeat(maxLength), 'ç'.repeat(maxLength))
    // A little over half of the limit, which a service with a lower limit refuses.
    words.push('a'.repeat(Math.ceil(maxLength / 2) + 2))
  }
  words.push('São João\nd\'Água "1"', 'fulano+1@example.com')
  return words.filter((word) => [...word].length <= maxLength)
}

const textsByPattern = new Map<string, readonly string[]>()

/** The shortest and the longest text that matches a pattern. Generated once for each pattern. */
function textsMatching(pattern: string): readonly string[] {
  const texts = textsByPattern.get(pattern) ?? generateTexts(pattern)
  textsByPattern.set(pattern, texts)
  return texts
}

/**
 * Generates random texts that match a regular expression, always the same ones. Returns the shortest and the
 * longest, without those that are all zeros, such as `0.00`.
 */
function generateTexts(pattern: string): string[] {
  const matches = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: SAMPLES, seed: 1 })
  // One for each length, with and without capital letters: `'12 true' => 'AB12cd34EF56'`.
  const textByForm = new Map<string, string>()
  for (const text of matches) {
    const hasCapitals = /[A-Z]/.test(text)
    textByForm.set(`${text.length} ${hasCapitals}`, text)
  }

  const texts = [...textByForm.values()].filter((text) => !isZero(text))
  texts.sort((a, b) => a.length - b.length)
  const [shortest] = texts
  const longest = texts.at(-1)
  if (shortest === undefined || longest === undefined) return []
  return shortest === longest ? [shortest] : [shortest, longest]
}

function isZero(text: string): boolean {
  return /^[0.]*$/.test(text)
}

const SAMPLES = 200

/**
 * Texts that are close to a valid one, and that lenient parsers take for it: `12.50` gives `012.50`, `12,50`,
 * ` 12.50` and so on. The sample may be an amount, a tax ID, a key or an id.
 */
function textsLike(sample: string): string[] {
  const [whole = '', decimals = ''] = sample.split('.')
  const isAmount = decimals !== ''
  const start = sample.slice(0, -1)
  // Never the character that is there, so that each sample gives as many texts: random choices then repeat in each run.
  const otherFirst = sample.startsWith('0') ? '1' : '0'
  const texts: string[] = []
  if (isAmount) texts.push(`0${sample}`, '0.01', `-${sample}`, whole, sample.replace('.', ','))
  texts.push(
    start,
    `${sample}0`,
    `${sample}\n`,
    ` ${sample}`,
    `${otherFirst}${sample.slice(1)}`,
    sample.toLowerCase(),
    punctuate(sample),
    `${start}-`,
    `${start}x`,
    `+0${sample}`,
    '0',
    '',
    'x',
  )
  return texts
}

/** A CPF as people write it: `111.444.777-35`. Another text with a dot after three characters. */
function punctuate(sample: string): string {
  const isCpf = /^\d{11}$/.test(sample)
  return isCpf ? sample.replace(/^(...)(...)(...)/, '$1.$2.$3-') : sample.replace(/^(...)/, '$1.')
}

/**
 * Dates at the limits of a calendar, such as February 29, ordinary ones, dates that do not exist, and other ways to
 * write `sample`.
 */
function generateDates(sample: string, { day }: Dates): string[] {
  const year = Number(day().slice(0, 4))
  const leapYear = year + 4 - (year % 4)
  // From 0, Sunday, to 6.
  const weekdayIn400Days = new Date(day(400)).getUTCDay()
  const saturdayAfterAYear = day(400 + 6 - weekdayIn400Days)
  return [
    `${leapYear}-02-29`,
    '9999-12-31',
    saturdayAfterAYear,
    ...ordinaryDates(sample, day()),
    `${leapYear}-02-30`,
    `${leapYear + 1}-02-29`,
    // In the past, so that a discount that ends then is refused for this date alone, and not as too late.
    `${year - 1}-02-30`,
    `${sample}T00:00:00Z`,
    sample.split('-').reverse().join('/'),
    sample.replaceAll('-', ''),
    '',
  ]
}

/**
 * The date a week after another one, and the day before it unless that is past. A service may take no date that is a
 * year away, and no discount after the due date.
 */
function ordinaryDates(date: string, today: string): string[] {
  if (!isCalculableDay(date)) return []

  const dayBefore = addDays(date, -1)
  const weekLater = addDays(date, 7)
  return dayBefore < today ? [weekLater] : [weekLater, dayBefore]
}

/** URLs of the longest length and one longer, with a port and with a query, and texts that are no URL. */
function generateUrls(sample: string, maxLength: number): string[] {
  const queryLength = Math.max(0, maxLength - `${sample}?`.length)
  const longest = `${sample}?${'a'.repeat(queryLength)}`
  const url = URL.canParse(sample) ? sample : 'https://example.com/'
  const { protocol, host, pathname } = new URL(url)
  return [
    longest,
    `${longest}a`,
    `${protocol}//${host}:8443${pathname}`,
    `${sample}?a=1&b=%20`,
    host,
    '/pix',
    'not a url',
    '',
  ]
}
