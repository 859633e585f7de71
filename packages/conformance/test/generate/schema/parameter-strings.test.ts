import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchemas } from '../../../src/generate/schema/schemas.ts'
import { contract, schemas } from './documents.ts'

const LIMIT = '/components/parameters/Limit'
const { parameters } = schemas
const pointers = Object.keys((contract.components as { parameters: object }).parameters).map(
  (name) => `/components/parameters/${name}`,
)

function documentOf(parameter: object): object {
  return { openapi: '3.1.0', components: { parameters: { It: { name: 'it', in: 'query', ...parameter } } } }
}
const IT = '/components/parameters/It'

test.each(pointers)('%s has an example', (pointer) => {
  expect(parameters.validOf(pointer)).toBe(
    (contract.components as { parameters: Record<string, { example: string }> }).parameters[
      pointer.split('/').at(-1) ?? ''
    ]?.example,
  )
})

test('the invalid limits include typical parsing mistakes', () => {
  const texts = parameters.breaks(LIMIT, '20').map(({ value }) => value)
  expect(texts).toEqual(
    expect.arrayContaining(['0', '101', 'abc', '-1', '1.5', '', ' 20', '1e1', '01', '+1', '٣']),
  )
  expect(texts).not.toContain('100')
})

test('each variant names its keyword and open question', () => {
  const [first] = parameters.breaks(LIMIT, '20')
  expect(first?.change).toMatchObject({
    pointer: '/limit',
    contract: `${LIMIT}/schema/pattern`,
    keyword: 'pattern',
    question: 'paging',
  })
})

test('the edge values of the limit are its bounds, and it may be absent', () => {
  const found = parameters.boundaries(LIMIT, '20').map(({ value }) => value)
  expect(found).toEqual(expect.arrayContaining(['1', '99', '100', undefined]))
})

test('a required parameter is left out, except a path parameter', () => {
  const headers = parameters.breaks('/components/parameters/DeliveryId', 'msg_1')
  expect(headers.find(({ value }) => value === undefined)?.change).toMatchObject({
    pointer: '/webhook-id',
    contract: '/components/parameters/DeliveryId/required',
    keyword: 'required',
    question: 'signature',
  })
  expect(parameters.breaks('/components/parameters/UserId', 'a')).toEqual([])
})

test('an integer is parsed from a string', () => {
  const made = createSchemas(documentOf({ schema: { type: 'integer', minimum: 1, maximum: 50 } })).parameters
  const broken = Object.groupBy(made.breaks(IT, '20'), ({ change }) => change.keyword)
  expect(broken.minimum?.map(({ value }) => value)).toContain('0')
  expect(broken.maximum?.map(({ value }) => value)).toContain('51')
  expect(broken.type?.map(({ value }) => value)).toEqual(expect.arrayContaining(['', '1.5', 'abc']))
  // Another notation of a valid number: only lenient parsers accept it.
  for (const it of ['01', '+1', '1.0', '1e1'])
    expect(broken.type?.map(({ value }) => value)).not.toContain(it)
  expect(made.boundaries(IT, '20').map(({ value }) => value)).toEqual(
    expect.arrayContaining(['1', '50', undefined]),
  )
})

test('a header has only characters that HTTP allows', () => {
  const made = createSchemas(documentOf({ in: 'header', schema: { type: 'string' } })).parameters
  const texts = made.boundaries(IT, 'a').flatMap(({ value }) => value ?? [])
  expect(texts.length).toBeGreaterThan(2)
  for (const text of texts) expect(() => new Headers({ it: text })).not.toThrow()
  for (const text of texts) expect(new Headers({ it: text }).get('it')).toBe(text)
})

test('a path has no empty segment', () => {
  const made = createSchemas(
    documentOf({ in: 'path', required: true, schema: { type: 'string' } }),
  ).parameters
  expect(made.boundaries(IT, 'a').map(({ value }) => value)).not.toContain('')
})

test.each(pointers)('every invalid variant of a generated %s violates the schema', (pointer) => {
  const texts = parameters.arbitraryOf(pointer) ?? fc.constant('')
  const holds = fc.property(texts, (text) =>
    parameters.breaks(pointer, text).every(({ value }) => value !== text),
  )
  fc.assert(holds, { numRuns: 10 })
})
