import { isDeepStrictEqual } from 'node:util'
import { pointerOf } from '@partner-payments/validator'
import fc from 'fast-check'
import { bodySchema, mergedSchema, type Operation, queryParameters } from './contract/contract.ts'
import { fieldsOf, type Json, valueAt, withValue } from './contract/json.ts'
import { type Input, pathOf } from './send/sender.ts'

/** An edit of one place of a request. */
export interface Edit {
  /** The pointer of the edit, into the body or the query. */
  readonly pointer: string
  /** Undefined removes what is there. */
  readonly value: unknown
  readonly isValid: boolean
}

/** A request with edits of its body, or of its query if it has no body. */
export function applyEdits(input: Input, edits: readonly Pick<Edit, 'pointer' | 'value'>[]): Input {
  if (input.body === undefined) {
    const parameters = edits.map(({ pointer, value }) => [pointer.slice(1), String(value)])
    return { ...input, query: { ...input.query, ...Object.fromEntries(parameters) } }
  }
  let body: unknown = input.body
  for (const { pointer, value } of edits) body = withValue(body, pointer, value)
  return { ...input, body: body ?? null }
}

/** A place that a schema declares. */
interface Site {
  /** A pointer into the body, or into the query. */
  readonly pointer: string
  readonly schema: Json
}

/**
 * Edits of one place, valid and invalid ones each, and those of a place with the same schema as an
 * earlier one.
 */
const MOST = { valid: 8, invalid: 11 }
const MOST_AGAIN = { valid: 2, invalid: 4 }

/** The edits of a valid request in one place. */
export function generateEdits(operation: Operation, valid: Input, dates: Dates): Edit[] {
  const isQuery = valid.body === undefined
  const { schema, sample } = isQuery
    ? queryOf(operation)
    : { schema: bodySchema(operation), sample: valid.body }
  const declared = sitesOf(operation.validator.document, schema, sample)
  // The first site of a query is all of it, which no request can leave out.
  const sites = isQuery ? declared.slice(1) : declared

  return sites.flatMap(({ pointer, schema }, i) => {
    const candidates = candidatesOf(schema, valueAt(sample, pointer), dates)
    // In a query, everything is text.
    const values = isQuery ? candidates.filter((it) => typeof it === 'string') : candidates
    const edits = values.map((value) => {
      const input = applyEdits(valid, [{ pointer, value }])
      return { pointer, value, isValid: isValidInput(operation, input) }
    })
    const isKnown = sites.slice(0, i).some((site) => hasSameForm(site.schema, schema))
    const most = isKnown ? MOST_AGAIN : MOST
    return [
      ...edits.filter(({ isValid }) => isValid).slice(0, most.valid),
      ...edits.filter(({ isValid }) => !isValid).slice(0, most.invalid),
    ]
  })
}

/**
 * The parameters as fields of an object, but the cursor, which is valid only with the list that it
 * comes from.
 */
function queryOf(operation: Operation): { readonly schema: Json; readonly sample: Json } {
  const parameters = queryParameters(operation).filter(({ name }) => name !== 'cursor')
  const fieldOfEach = (field: string) =>
    Object.fromEntries(parameters.map((parameter) => [String(parameter.name), parameter[field]]))
  return {
    schema: { properties: fieldOfEach('schema') },
    sample: fieldOfEach('example'),
  }
}

/** Limits the depth of a place. */
const DEEPEST = 12

/**
 * All places that a schema declares, whether a value has them or not. The value chooses between
 * alternatives.
 */
function sitesOf(document: object, schema: unknown, value: unknown, pointer = ''): Site[] {
  if (pointer.split('/').length > DEEPEST) return []
  const merged = mergedSchema(document, schema, value)
  const sites: Site[] = [{ pointer, schema: merged }]
  for (const [name, property] of Object.entries(fieldsOf(merged.properties)))
    sites.push(...sitesOf(document, property, fieldsOf(value)[name], pointerOf(pointer, name)))
  if (merged.items)
    sites.push(...sitesOf(document, merged.items, valueAt(value, '/0'), `${pointer}/0`))
  return sites
}

function hasSameForm(one: Json, other: Json): boolean {
  return one.pattern !== undefined && one.pattern === other.pattern
}

/** Whether a request is valid by the contract. */
export function isValidInput(operation: Operation, input: Input): boolean {
  const [path = '', query = ''] = pathOf(operation, input).split('?', 2)
  const { body } = input
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const message = {
    method: operation.method,
    path,
    query,
    headers,
    ...(body !== undefined && { body }),
  }
  return operation.validator.validateRequest(message).length === 0
}

/** The time that values depend on: the date in Brazil, some days from now. */
export interface Dates {
  day(days?: number): string
}

/**
 * Values at and around the edges of a schema, valid and invalid ones; undefined stands for leaving
 * the field out. The validator decides which is which.
 *
 * @param value What a valid request has there.
 */
function candidatesOf(schema: Json, value: unknown, dates: Dates): unknown[] {
  const types = [schema.type].flat()
  const samples = listOf(schema.examples)
  const constants = schema.const === undefined ? listOf(schema.enum) : [schema.const]
  const isString = types.includes('string')
  const isNumber = types.includes('integer') || types.includes('number')
  const text = [value, ...samples].find((it) => typeof it === 'string') ?? 'x'

  const candidates: unknown[] = [undefined]
  candidates.push(...samples)
  if (isString) candidates.push(numberLike(text))
  candidates.push(null)
  if (constants.length > 0) candidates.push(...enumValues(constants))
  else if (isString) candidates.push(...stringsOf(schema, text, dates))
  if (isNumber) candidates.push(...numbersOf(schema, value))
  if (types.includes('boolean')) candidates.push(true, false, 'false', 0)
  if (types.includes('array')) candidates.push(...arraysOf(schema, value))
  else candidates.push([value ?? 'x'])
  if (types.includes('object')) candidates.push({}, 'x', { ...fieldsOf(value), x_unknown: 'x' })

  return distinct(candidates).filter((candidate) => !isDeepStrictEqual(candidate, value))
}

/** The first of each value. */
function distinct(values: readonly unknown[]): unknown[] {
  return values.filter(
    (value, i) => values.findIndex((other) => isDeepStrictEqual(other, value)) === i,
  )
}

/** A number in place of a string: the same number if the string is one. */
function numberLike(text: string): number {
  return /^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : 7
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function enumValues(values: readonly unknown[]): unknown[] {
  const first = values.length > 0 ? String(values[0]) : ''
  const isUpperCase = first === first.toUpperCase() && /[A-Z]/.test(first)
  const inOtherCase = isUpperCase ? first.toLowerCase() : first.toUpperCase()
  return [...values, inOtherCase, `${first} `, '', 'none', '9']
}

function numbersOf({ minimum, maximum }: Json, value: unknown): unknown[] {
  const numbers: unknown[] = []
  if (typeof minimum === 'number') numbers.push(minimum, minimum - 1)
  if (typeof maximum === 'number') numbers.push(maximum, maximum + 1)
  else numbers.push(BEYOND_32_BITS)
  const sample = value ?? minimum ?? 1
  numbers.push(Number(sample) + 0.5, String(sample), true)
  return numbers
}

const BEYOND_32_BITS = 4_294_967_296

function arraysOf({ maxItems }: Json, value: unknown): unknown[] {
  const [item] = listOf(value)
  const arrays: unknown[] = [[]]
  if (item !== undefined) {
    if (typeof maxItems === 'number')
      arrays.push(Array(maxItems).fill(item), Array(maxItems + 1).fill(item))
    // An item whose fields have another type.
    const misshaped = Object.fromEntries(Object.keys(fieldsOf(item)).map((name) => [name, 7]))
    arrays.push([item, misshaped])
  }
  // What is not an array, but looks like one.
  arrays.push({ 0: item ?? 'x' }, 'x')
  return arrays
}

function stringsOf(schema: Json, sample: string, dates: Dates): string[] {
  const { pattern, format, minLength, maxLength } = schema
  if (format === 'date') return datesOf(sample, dates)
  if (format === 'uri') return urlsOf(sample, Number(maxLength ?? 2_048))
  if (typeof pattern === 'string')
    return [...matching(pattern), ...taxIdsOf(new RegExp(pattern)), ...nearTo(sample)]

  const least = Number(minLength ?? 0)
  const most = Number(maxLength ?? 255)
  const lengths = [least]
  if (least > 0) lengths.push(least - 1)
  if (maxLength !== undefined) lengths.push(most, most + 1)
  return [...lengths.map((length) => 'a'.repeat(length)), ...wordsUpTo(most)]
}

/** Documents of companies, with right check digits. */
const TAX_IDS = ['11222333000181', '12ABC34501DE35']

/** Those that match a pattern, also in small letters. */
function taxIdsOf(pattern: RegExp): string[] {
  const matching = TAX_IDS.filter((taxId) => pattern.test(taxId))
  return matching.flatMap((taxId) => [taxId, taxId.toLowerCase()])
}

/**
 * Texts that break bytes, quotes, UTF-16 and ASCII. A long one counts characters, of which each has
 * four bytes.
 */
function wordsUpTo(most: number): string[] {
  const words: string[] = []
  if (most <= 1_000)
    words.push('💰'.repeat(most), 'ç'.repeat(most), 'a'.repeat(Math.ceil(most / 2) + 2))
  words.push('São João\nd\'Água "1"', 'fulano+1@example.com')
  return words.filter((word) => [...word].length <= most)
}

const samples = new Map<string, readonly string[]>()

/** The shortest and the longest text that matches a pattern. */
function matching(pattern: string): readonly string[] {
  const known = samples.get(pattern) ?? sampled(pattern)
  samples.set(pattern, known)
  return known
}

function sampled(pattern: string): string[] {
  const matches = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: SAMPLES, seed: 1 })
  // One for each length, with and without capital letters.
  const byForm = new Map(matches.map((text) => [`${text.length} ${/[A-Z]/.test(text)}`, text]))
  const isZero = (text: string) => /^[0.]*$/.test(text)
  const sorted = [...byForm.values()]
    .filter((text) => !isZero(text))
    .sort((a, b) => a.length - b.length)
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])]
}

const SAMPLES = 200

/** Texts that lenient parsers take for the sample: an amount, a document, a key or an id. */
function nearTo(sample: string): string[] {
  const [whole = '', decimals = ''] = sample.split('.')
  const isAmount = decimals !== ''
  const start = sample.slice(0, -1)
  const texts: string[] = []
  if (isAmount) texts.push(`0${sample}`, '0.01', `-${sample}`, whole, sample.replace('.', ','))
  texts.push(
    start,
    `${sample}0`,
    `${sample}\n`,
    ` ${sample}`,
    `0${sample.slice(1)}`,
    sample.toLowerCase(),
    punctuated(sample),
    `${start}-`,
    `${start}x`,
    `+0${sample}`,
    '0',
    '',
    'x',
  )
  return texts
}

/** As people write a CPF, or with one dot. */
function punctuated(sample: string): string {
  const isCpf = /^\d{11}$/.test(sample)
  return isCpf ? sample.replace(/^(...)(...)(...)/, '$1.$2.$3-') : sample.replace(/^(...)/, '$1.')
}

function datesOf(sample: string, { day }: Dates): string[] {
  const year = Number(day().slice(0, 4))
  const leap = year + 4 - (year % 4)
  return [
    `${leap}-02-29`,
    '9999-12-31',
    // A Saturday, more than a year ahead.
    day(406 - new Date(day(400)).getUTCDay()),
    `${leap}-02-30`,
    `${leap + 1}-02-29`,
    // A discount must not end after the due date.
    `${year - 1}-02-30`,
    `${sample}T00:00:00Z`,
    sample.split('-').reverse().join('/'),
    sample.replaceAll('-', ''),
    '',
  ]
}

function urlsOf(sample: string, most: number): string[] {
  const longest = `${sample}?${'a'.repeat(Math.max(0, most - sample.length - 1))}`
  const { protocol, host, pathname } = URL.canParse(sample)
    ? new URL(sample)
    : new URL('https://example.com/')
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
