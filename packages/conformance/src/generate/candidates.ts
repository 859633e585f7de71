import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { fieldsOf, type Json } from '../contract/json.ts'

/** The time that values depend on: the date in Brazil, some days from now. */
export interface Dates {
  day(days?: number): string
}

/**
 * Values at and around the edges of a schema, valid and invalid ones; undefined stands for leaving the field out. The
 * validator decides which is which.
 *
 * @param value What a valid request has there.
 */
export function candidatesOf(schema: Json, value: unknown, dates: Dates): unknown[] {
  const types = [schema.type].flat()
  const samples = listOf(schema.examples)
  const constants = schema.const === undefined ? listOf(schema.enum) : [schema.const]
  const isString = types.includes('string')
  const text = [value, ...samples].find((it) => typeof it === 'string') ?? 'x'
  const all = [
    undefined,
    ...samples,
    ...(isString ? [/^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : 7] : []),
    null,
    ...(constants.length > 0 ? enumValues(constants) : isString ? stringsOf(schema, text, dates) : []),
    ...(types.includes('integer') || types.includes('number') ? numbersOf(schema, value) : []),
    ...(types.includes('boolean') ? [true, false, 'false', 0] : []),
    ...(types.includes('array') ? arraysOf(schema, value) : [[value ?? 'x']]),
    ...(types.includes('object') ? [{}, 'x', { ...fieldsOf(value), x_unknown: 'x' }] : []),
  ]
  return all.filter(
    (it, i) => !isDeepStrictEqual(it, value) && all.findIndex((other) => isDeepStrictEqual(other, it)) === i,
  )
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function enumValues(values: readonly unknown[]): unknown[] {
  const [first = ''] = values.map(String)
  const other =
    first === first.toUpperCase() && /[A-Z]/.test(first) ? first.toLowerCase() : first.toUpperCase()
  return [...values, other, `${first} `, '', 'none', '9']
}

function numbersOf({ minimum, maximum }: Json, value: unknown): unknown[] {
  const ends = [
    ...(typeof minimum === 'number' ? [minimum, minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum, maximum + 1] : [BEYOND_32_BITS]),
  ]
  const sample = value ?? minimum ?? 1
  return [...ends, Number(sample) + 0.5, String(sample), true]
}

const BEYOND_32_BITS = 4_294_967_296

function arraysOf({ maxItems }: Json, value: unknown): unknown[] {
  const [item] = listOf(value)
  const many = typeof maxItems === 'number' ? [maxItems, maxItems + 1] : []
  // An item whose fields have another type.
  const misshaped = Object.fromEntries(Object.keys(fieldsOf(item)).map((name) => [name, 7]))
  return [
    [],
    ...(item === undefined ? [] : [...many.map((count) => Array(count).fill(item)), [item, misshaped]]),
    { 0: item ?? 'x' },
    'x',
  ]
}

function stringsOf(schema: Json, sample: string, dates: Dates): string[] {
  const { pattern, format, minLength = 0, maxLength } = schema
  if (format === 'date') return datesOf(sample, dates)
  if (format === 'uri') return urlsOf(sample, Number(maxLength ?? 2_048))
  if (typeof pattern === 'string')
    return [...matching(pattern), ...taxIdsOf(new RegExp(pattern)), ...nearTo(sample)]
  const most = Number(maxLength ?? 255)
  const lengths = [
    Number(minLength),
    Number(minLength) - 1,
    ...(maxLength === undefined ? [] : [most, most + 1]),
  ]
  return [...lengths.filter((it) => it >= 0).map((it) => 'a'.repeat(it)), ...wordsUpTo(most)]
}

/** Documents of companies, with right check digits. */
const TAX_IDS = ['11222333000181', '12ABC34501DE35']

/** Those that match a pattern, also in small letters. */
function taxIdsOf(pattern: RegExp): string[] {
  return TAX_IDS.filter((it) => pattern.test(it)).flatMap((it) => [it, it.toLowerCase()])
}

/** Texts that break bytes, quotes, UTF-16 and ASCII. A long one counts characters, of which each has four bytes. */
function wordsUpTo(most: number): string[] {
  const long = most <= 1_000 ? ['💰'.repeat(most), 'ç'.repeat(most), 'a'.repeat(Math.ceil(most / 2) + 2)] : []
  return [...long, 'São João\nd\'Água "1"', 'fulano+1@example.com'].filter((it) => [...it].length <= most)
}

const samples = new Map<string, readonly string[]>()

/** The shortest and the longest text that matches a pattern. */
function matching(pattern: string): readonly string[] {
  const known = samples.get(pattern) ?? sampled(pattern)
  samples.set(pattern, known)
  return known
}

function sampled(pattern: string): string[] {
  const found = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: SAMPLES, seed: 1 })
  const byLength = [...new Map(found.map((it) => [`${it.length} ${/[A-Z]/.test(it)}`, it])).values()]
  const sorted = byLength.filter((it) => !/^[0.]*$/.test(it)).sort((a, b) => a.length - b.length)
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])]
}

const SAMPLES = 200

/** Texts that lenient parsers take for the sample: an amount, a document, a key or an id. */
function nearTo(sample: string): string[] {
  const [whole = '', decimals = ''] = sample.split('.')
  const amounts = [`0${sample}`, '0.01', `-${sample}`, whole, sample.replace('.', ',')]
  const start = sample.slice(0, -1)
  // As people write a CPF, or with one dot.
  const punctuated = /^\d{11}$/.test(sample)
    ? sample.replace(/^(...)(...)(...)/, '$1.$2.$3-')
    : sample.replace(/^(...)/, '$1.')
  return [
    ...(decimals === '' ? [] : amounts),
    ...[start, `${sample}0`, `${sample}\n`, ` ${sample}`, `0${sample.slice(1)}`, sample.toLowerCase()],
    ...[punctuated, `${start}-`, `${start}x`, `+0${sample}`, '0', '', 'x'],
  ]
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
