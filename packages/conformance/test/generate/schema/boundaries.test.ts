import { describe, expect, test } from 'vitest'
import { createSchemas, type Schemas } from '../../../src/generate/schema/schemas.ts'
import { bodySchemas, contract, documentOf, HAND_WRITTEN, IT, judgeOf, schemas } from './documents.ts'

type Value = Parameters<Schemas['boundaries']>[1]

function bodiesOf(schema: unknown, value: Value) {
  return createSchemas(documentOf(schema))
    .boundaries(IT, value)
    .map(({ body }) => body)
}

const text = (lengths: object) => ({ type: 'string', ...lengths })
const object = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'string' },
    b: { type: ['integer', 'null'] },
    c: { type: 'boolean', default: true },
  },
}

test.each([
  ['the shortest text', text({ minLength: 2 }), 'aaa', ['aa', 'éé', '😀😀']],
  ['the longest text', text({ maxLength: 4 }), 'a', ['aaaa', 'éééé', '😀😀😀😀']],
  ['140 characters outside the BMP', text({ maxLength: 140 }), 'a', ['😀'.repeat(140)]],
  ['empty text, where it may be', text({}), 'a', ['']],
  [
    'accents, combining ones and text from right to left',
    text({}),
    'a',
    ['Conceição Ação', 'Conceic\u0327a\u0303o', 'שלום עולם'],
  ],
  ['each branch of a pattern', text({ pattern: '^([1-9][0-9]?|100)$' }), '20', ['1', '99', '100']],
  ['the minimum and the number beside it', { type: 'integer', minimum: 3 }, 7, [3, 4]],
  ['the maximum and the number beside it', { type: 'integer', maximum: 9 }, 7, [9, 8]],
  [
    'the last number before an open bound',
    { type: 'integer', exclusiveMaximum: 9, exclusiveMinimum: 2 },
    7,
    [8, 3],
  ],
  ['the fewest items', { type: 'array', minItems: 1, items: { type: 'integer' } }, [1, 2], [[1]]],
  ['the most items', { type: 'array', maxItems: 3, items: { type: 'integer' } }, [1], [[1, 1, 1], []]],
  ['an item in an empty list', { type: 'array', items: { enum: ['a', 'b'] } }, [], [['b']]],
  ['each of the values', { enum: ['x', 'y', 'z'] }, 'x', ['y', 'z']],
  ['null', { type: ['string', 'null'] }, 'a', [null]],
  ['a value in the place of null', { type: ['string', 'null'], minLength: 2 }, null, ['aa']],
  ['each form', { oneOf: [{ type: 'integer' }, { type: 'string' }] }, 4, ['a']],
  [
    'an optional property left out',
    object,
    { a: 'x', b: 1, c: false },
    [
      { a: 'x', c: false },
      { a: 'x', b: 1 },
    ],
  ],
  [
    'an optional property alone',
    object,
    { a: 'x', b: 1, c: false },
    [
      { a: 'x', b: 1 },
      { a: 'x', c: false },
    ],
  ],
  [
    'an optional property that was absent',
    object,
    { a: 'x' },
    [
      { a: 'x', c: true },
      { a: 'x', c: false },
      { a: 'x', b: null },
    ],
  ],
  ['the default, written out', object, { a: 'x' }, [{ a: 'x', c: true }]],
  ['an unknown property', object, { a: 'x' }, [{ a: 'x', x_unknown_field: null }]],
  ['an empty object', { type: 'object', properties: { a: {} } }, { a: 1 }, [{}]],
] as [string, unknown, Value, unknown[]][])('gives %s', (_, schema, value, expected) => {
  expect(bodiesOf(schema, value)).toEqual(expect.arrayContaining(expected))
})

test('returns properties in another order', () => {
  const bodies = bodiesOf(object, { a: 'x', b: 1 }).map((body) => JSON.stringify(body))
  expect(bodies).toContain('{"b":1,"a":"x"}')
})

test('describes the change, its keyword and its open question', () => {
  const value = { dict_key: 'beltrana@example.com' }
  const changes = schemas.boundaries('/components/schemas/CheckKeyRequest', value).map(({ change }) => change)
  expect(changes).toContainEqual({
    pointer: '/dict_key',
    contract: '/components/schemas/DictKey/maxLength',
    keyword: 'maxLength',
    question: 'key-forms',
    note: '77 characters long',
  })
})

test('the open question of a missing property is that of its presence', () => {
  const pointer = '/components/schemas/EmvTransferRequest'
  const value = schemas.validOf(pointer) ?? null
  const changes = schemas.boundaries(pointer, value).map(({ change }) => change)
  expect(changes.filter(({ question }) => question === 'transfer-beneficiary').length).toBeGreaterThan(0)
})

describe('every edge value', () => {
  test.each(bodySchemas(contract, 'requestBody'))('of %s is valid, another and no repetition', (pointer) => {
    const value = schemas.validOf(pointer) ?? null
    expectNeighbours(contract, pointer, value, schemas)
  })

  test.each(Object.keys(HAND_WRITTEN))('of %s is valid, another and no repetition', (name) => {
    const document = documentOf(HAND_WRITTEN[name])
    const made = createSchemas(document)
    expectNeighbours(document, IT, made.validOf(IT) ?? null, made)
  })
})

function expectNeighbours(document: object, pointer: string, value: Value, made: Schemas) {
  const judge = judgeOf(document, pointer)
  const bodies = made.boundaries(pointer, value).map(({ body }) => body)
  expect(bodies.length).toBeGreaterThan(0)
  for (const body of bodies) expect(judge(body), JSON.stringify(body)).toEqual([])
  expect(new Set([value, ...bodies].map((it) => JSON.stringify(it))).size).toBe(bodies.length + 1)
}
