import { describe, expect, test } from 'vitest'
import {
  createBodyReader,
  MAX_PATH_LENGTH,
  MAX_UNNAMED_FIELDS,
  MAX_VALUES,
  VALUES_OF_OBJECT,
} from '../src/contract/bodies.ts'
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
    `${others.toLocaleString('en-US')} fields that the contract does not name, beyond the first 2,000 of a body or with a path of more than 2,000 characters`,
  )
  const messages = result.findings.map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringContaining('/data: expected array, got integer'))
})

test('it says that no rule read a body with too many values', () => {
  const [operation] = OPERATIONS
  const values = (count: number) => JSON.stringify({ data: Array.from({ length: count }, () => 1) })
  const judge = (count: number) =>
    checkHar(record(operation, '', values(count)), { baseUrl: BASE }).unknown.responseBodies
  // With the object around them. Their list takes the place of the comma that the first one has not.
  expect(judge(MAX_VALUES - VALUES_OF_OBJECT)).toBe(0)
  expect(judge(MAX_VALUES - VALUES_OF_OBJECT + 1)).toBe(1)
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

  test('it leaves out fields whose path is too long', () => {
    const name = 'n'.repeat(MAX_PATH_LENGTH - 'amount'.length)
    const text = JSON.stringify({
      [name]: [{ amount: 1, longer1: 1 }],
      longest: { [name]: { amount: 1 } },
      other: 'x'.repeat(10_000),
    })
    const { json, leftOut } = readBody(text)
    expect(leftOut).toBe(2)
    expect(json).toEqual({ [name]: [{ amount: 1 }], longest: {}, other: 'x'.repeat(10_000) })
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

  test('it does not read a body with too many values, but counts none inside strings', () => {
    const many = Array.from({ length: MAX_VALUES + 1 }, () => '[')
    expect(readBody(JSON.stringify(many.map(() => [])))).toMatchObject({ isUnread: true })
    expect(readBody(JSON.stringify(many.map(() => 1)))).toMatchObject({ isUnread: true })
    const records = Array.from({ length: 20_000 }, (_, i) => ({ id: i }))
    expect(readBody(JSON.stringify(records))).toMatchObject({ isUnread: true })
    expect(readBody(JSON.stringify(records.slice(4_001)))).toMatchObject({ isUnread: false })
    expect(readBody(JSON.stringify({ k: many.join(',') }))).toMatchObject({ isUnread: false })
  })

  test('it calls a text without JSON no body that it did not read', () => {
    const text = `<html>${','.repeat(MAX_VALUES + 1)}</html>`
    expect(readBody(text)).toMatchObject({ json: undefined, isUnread: false })
  })
})
