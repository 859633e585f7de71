import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { MAX_VALUES, VALUES_OF_OBJECT } from '../../src/contract/bodies.ts'
import { fieldsOf } from '../../src/contract/json.ts'
import { checkHar } from '../../src/har.ts'
import { fields, MAX_BYTES, OPERATIONS, record, repeat } from '../recorded/large-bodies.ts'
import { BASE } from '../recorded/session.ts'

const list = (part: (index: number) => string) => `{"data":[${repeat(part)}]}`

/** A list with about as many values as are read. */
const readList = (item: (index: number) => object) =>
  JSON.stringify({
    data: Array.from({ length: MAX_VALUES / (1 + VALUES_OF_OBJECT) - 1 }, (_, i) => item(i)),
  })

/** A name of quotes, escaped as JSON has it, with other letters between them than any other name has. */
function nameOfQuotes(index: number): string {
  const word = index.toString(36)
  return Array.from({ length: 110 }, (_, i) => `\\"${word}${i.toString(36)}`).join('')
}

const HOSTILE: readonly (readonly [title: string, body: string])[] = [
  ['short distinct keys', fields((i) => `"${i.toString(36)}":0`)],
  ['distinct keys with objects', fields((i) => `"k${i}":{"id":"a"}`)],
  ['distinct keys with arrays', fields((i) => `"k${i}":[]`)],
  ['distinct keys beside an id', `{"id":"a","status":"ATIVA",${repeat((i) => `"k${i}":"v${i}"`)}}`],
  ['objects with a key of their own', list((i) => `{"k${i}":1}`)],
  ['one key again and again', fields(() => '"a":1')],
  ['indexes as keys', fields((i) => `"${i}":1`)],
  ['long keys', fields((i) => `"${'k'.repeat(9_000)}${i}":1`)],
  ['a key of slashes and tildes', `{"${'~/'.repeat(900_000)}":1}`],
  ['names of secrets', fields((i) => `"access_token_${i}":"s3cret-${i}"`)],
  ['a secret that is a long list', `{"secret":[${repeat((i) => `"s${i}"`)}]}`],
  ['__proto__', fields(() => '"__proto__":{"id":"a"}')],
  ['placeholders', fields((i) => `"k${i}":"***"`)],
  [
    'placeholders in records',
    list((i) =>
      i < 4_900 ? `{"id":"a${i}","tx_id":"***"}` : `{"id":"a${i}","pad":"${'x'.repeat(90)}"}`,
    ),
  ],
  ['modalities', fields((i) => `"k${i}":{"modality":"1"}`)],
  ['ids that are read', readList((i) => ({ id: `${'charge-with-a-long-id-'.repeat(3)}${i}` }))],
  [
    'objects that are read',
    readList((i) => ({ [`${'a-field-with-a-long-name-'.repeat(3)}${i}`]: 1 })),
  ],
  ['ids', list((i) => `{"id":"${i.toString(36)}"}`)],
  ['one id', list(() => '{"id":"a"}')],
  ['empty objects', list(() => '{}')],
  ['arrays of one number', list(() => '[1]')],
  ['numbers', list(() => '1')],
  ['numbers that are too large', list(() => '1e400')],
  ['nested arrays', list(() => '['.repeat(150) + ']'.repeat(150))],
  ['nested arrays alone', `[${repeat(() => '['.repeat(150) + ']'.repeat(150))}]`],
  ['escapes', `{"id":"${'\\u0061'.repeat(300_000)}"}`],
  ['lone surrogates', fields((i) => `"\\ud800${i}":"\\udc00"`)],
  ['dates', list((i) => `"${new Date(1.7e12 + 1e3 * i).toISOString()}"`)],
  ['base64', `{"id":"a","emv":"0","qrcode_image":"${'QUJD'.repeat(490_000)}"}`],
  [
    'URLs with many parameters',
    `{"data":[],"x":[${repeat((i) => `"?page=${i}&${'a&'.repeat(980)}"`)}]}`,
  ],
  ['one URL with many parameters', `{"data":[],"next":"/?${'a&'.repeat(990_000)}"}`],
  [
    'secrets, and fields whose names have many quotes',
    `{"secret":[${Array.from({ length: 1_950 }, (_, i) => `"${'a'.repeat(14)}${i}"`)}],${repeat(
      (i) => `"${nameOfQuotes(i)}":1`,
    )}}`,
  ],
  ['white space', `{"id":${' '.repeat(1_900_000)}"a"}`],
  ['payment codes', fields((i) => `"e${i}":"00020126330014BR.GOV.BCB.PIX01110000000000063041D3D"`)],
]

/** An object with so many numbers, below 190 levels with long names. */
function nested(count: number, name: string): object {
  let value: object = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
  for (let level = 0; level < 190; level++) value = { [name]: value }
  return value
}

/** So many fields that the contract does not name, in a record without those that were sent. */
const unnamedFields = (count: number, value: (index: number) => string) =>
  JSON.stringify({
    id: 'a',
    ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value(i)])),
  })

const marks = (count: number) => `a${'\u0315\u0300'.repeat(count / 2)}`

/** So many long texts, which a request has as its fields. */
const sentTexts = (count: number, text: (index: number) => string) =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, text(i + 1_000_000)])),
  )

/** Objects in objects, with so many names of the contract on each level, and texts in each of them. */
function grid(text: (index: number) => string): object {
  const schemas = Object.values(contract.components.schemas)
  const names = schemas
    .flatMap((schema) => Object.keys(fieldsOf(fieldsOf(schema).properties)))
    .slice(0, 120)
  const row = (start: number) =>
    Object.fromEntries(
      names.map((name, i) => [name, { name: text(start + 2 * i), url: text(start + 2 * i + 1) }]),
    )
  return Object.fromEntries(names.map((name, i) => [name, row(1_000 * i)]))
}

const HOSTILE_PAIRS: readonly (readonly [title: string, sent: string, shown: string])[] = [
  [
    'long names around many numbers',
    '{"dict_key":"a@example.com"}',
    JSON.stringify({ id: 'a', payer: nested(400, '~/'.repeat(500)) }),
  ],
  [
    'a long text, and many other fields in the response',
    JSON.stringify({ message: '1-2 3.4/'.repeat(100_000) }),
    unnamedFields(1_900, (i) => `1-${i} x`),
  ],
  [
    'marks that are not in their order',
    JSON.stringify({ message: marks(60_000) }),
    unnamedFields(10, (i) => marks(60_000) + i),
  ],
  [
    'a few marks after each letter, in many fields',
    JSON.stringify({ message: marks(30).repeat(30), dict_key: marks(30).repeat(29) }),
    unnamedFields(1_900, (i) => marks(30).repeat(20) + i),
  ],
  [
    'fifty texts of digits and signs, and many such texts in the response',
    sentTexts(50, (i) => '1-2.'.repeat(230) + i),
    unnamedFields(1_900, (i) => '1.2-'.repeat(230) + i).replace('"id":"a",', ''),
  ],
  [
    'fifty texts with accents, and thousands of objects with such texts',
    sentTexts(50, (i) => `e\u0301\u0323${i}`.repeat(9)),
    JSON.stringify(grid((i) => `\u1ec7e\u0323${i}`.repeat(9))),
  ],
]

for (const [title, sent, shown] of HOSTILE_PAIRS) {
  test(`it judges a request and a response with ${title} in moments`, () => {
    for (const operation of OPERATIONS) {
      const before = process.cpuUsage()
      checkHar(record(operation, sent, shown), { baseUrl: BASE })
      expect(process.cpuUsage(before).user, operation.title).toBeLessThan(2_000_000)
    }
  })
}

for (const [title, body] of HOSTILE) {
  test(`it judges a body of 2 MB with ${title} in moments`, () => {
    expect(body.length).toBeGreaterThan(MAX_BYTES / 2)
    for (const operation of OPERATIONS) {
      for (const [sent, shown] of [
        ['{}', body],
        [body, '{"id":"a"}'],
      ] as const) {
        const before = process.cpuUsage()
        expect(checkHar(record(operation, sent, shown), { baseUrl: BASE }).requests).toBe(1)
        expect(process.cpuUsage(before).user, operation.title).toBeLessThan(2_000_000)
      }
    }
  })
}

test('it judges requests with a URL of 2 MB in moments', () => {
  const query = Array.from({ length: 300_000 }, (_, i) => i.toString(36)).join('&')
  for (const operation of OPERATIONS) {
    const line = `${operation.line}?${query}`
    const recording = record({ ...operation, line }, '{}', '{"data":[]}')
    const before = process.cpuUsage()
    expect(checkHar(recording, { baseUrl: BASE }).requests).toBe(1)
    expect(process.cpuUsage(before).user, operation.title).toBeLessThan(2_000_000)
  }
})
