import { describe, expect, test } from 'vitest'
import { createBodyReader, MAX_UNNAMED_FIELDS } from '../src/contract/bodies.ts'
import { checkHar } from '../src/har.ts'
import { listUnknown } from '../src/report/summary.ts'
import { OPERATIONS, record } from './recorded/large-bodies.ts'
import { BASE } from './recorded/session.ts'

test('it says how many fields were left out, and judges those that the contract names', () => {
  const [operation] = OPERATIONS
  const unnamed = Array.from({ length: 3_000 }, (_, i) => `"k${i}":1`)
  const body = `{${unnamed.join()},"data":5}`
  const result = checkHar(record(operation, '', body), { baseUrl: BASE })
  const others = unnamed.length - MAX_UNNAMED_FIELDS
  expect(result.unknown.fields).toBe(others)
  expect(listUnknown(result)).toContainEqual(
    `${others.toLocaleString('en-US')} fields beyond the first 2,000 of a body that the contract does not name`,
  )
  const messages = result.findings.map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringContaining('/data: expected array, got integer'))
})

test('it reads no list of more than 20,000 records, and says so', () => {
  const [operation] = OPERATIONS
  const records = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `qr_${i}` }))
  const judge = (count: number) =>
    checkHar(record(operation, '', JSON.stringify({ data: records(count) })), { baseUrl: BASE })
  expect(judge(20_000).unknown.responseBodies).toBe(0)
  expect(judge(20_001).unknown.responseBodies).toBe(1)
})

describe('reading a body', () => {
  const readBody = createBodyReader({ components: { amount: {} } })
  const others = Array.from({ length: 3_000 }, (_, i) => [`k${i}`, i] as const)

  test('it leaves out what the contract does not name, from a number of fields on', () => {
    const text = JSON.stringify({ ...Object.fromEntries(others), amount: '1.00' })
    const { json, leftOut } = readBody(text)
    expect(leftOut).toBe(1_000)
    expect(json).toEqual({ ...Object.fromEntries(others.slice(0, 2_000)), amount: '1.00' })
  })

  test('it counts the fields of all objects together', () => {
    const text = JSON.stringify(others.map(([name]) => ({ [name]: { amount: 1 } })))
    const { json, leftOut } = readBody(text)
    expect(leftOut).toBe(1_000)
    expect(json).toMatchObject({ length: 3_000, 1999: { k1999: { amount: 1 } }, 2000: {} })
  })

  test('it keeps a field __proto__ as a field', () => {
    const text = `{"__proto__":{"amount":1},${JSON.stringify(Object.fromEntries(others)).slice(1)}`
    const { json } = readBody(text)
    expect(Object.keys(json as object)[0]).toBe('__proto__')
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype)
  })

  test('it reads each field of an ordinary body, and parses a text once', () => {
    const text = JSON.stringify({ description: 'x'.repeat(20_000), other: [{ k: 1 }] })
    expect(readBody(text).json).toEqual(JSON.parse(text))
    expect(readBody(text).json).toBe(readBody(text).json)
  })
})
