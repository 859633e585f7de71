import { describe, expect, test } from 'vitest'
import { createSchemas, type Schemas } from '../../../src/generate/schema/schemas.ts'
import { bodySchemas, contract, documentOf, HAND_WRITTEN, IT, judgeOf, schemas } from './documents.ts'

type Value = Parameters<Schemas['breaks']>[1]

const closed = { type: 'object', required: ['a'], properties: { a: {}, b: {} }, additionalProperties: false }
const forms = {
  oneOf: ['x', 'y'].map((kind) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: kind } },
  })),
  discriminator: { propertyName: 'kind' },
}
const text = (keywords: object) => ({ type: 'string', ...keywords })

test.each([
  ['required', closed, { a: 1, b: 2 }, [{ b: 2 }]],
  ['type', text({}), '12', [null, true, 0, 1.5, [], {}, ['12'], 12]],
  ['type', { type: 'integer' }, 3, [1.5, '3', 3.5, null]],
  ['type', { type: 'boolean' }, true, ['true', 1, null]],
  ['type', { type: 'array', items: {} }, [1], [null, { 0: 1 }, '1', {}]],
  ['type', { type: 'object' }, { a: 1 }, [null, [], 'a', 0, '{"a":1}']],
  ['enum', { enum: ['ATIVA', 'FECHADA'] }, 'ATIVA', ['ativa', 'Ativa', 'ATIVA ', '', 'x_unknown_field']],
  ['const', { const: 'emv' }, 'emv', ['EMV', 'emvx']],
  [
    'pattern',
    text({ pattern: '^[0-9]{4}$' }),
    '0001',
    ['001', '00011', '0001\n', ' 0001', '000٣', '00a1', ''],
  ],
  ['format', text({ format: 'date' }), '2026-12-15', ['2026-02-30', '2027-02-29', '2026-1-5', '']],
  ['minLength', text({ minLength: 3 }), 'abc', ['ab', 'aa']],
  ['maxLength', text({ maxLength: 3 }), 'abc', ['abcc', '😀😀😀😀']],
  ['minimum', { type: 'integer', minimum: 3 }, 4, [2, -997]],
  ['maximum', { type: 'integer', maximum: 3 }, 2, [4, 1003]],
  ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0 }, 4, [0, -0.01]],
  ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 9 }, 4, [9, 9.01]],
  ['minItems', { type: 'array', minItems: 2 }, [1, 2, 3], [[1]]],
  ['maxItems', { type: 'array', maxItems: 2, items: {} }, [1, 2], [[1, 2, 1]]],
  ['additionalProperties', closed, { a: 1 }, [{ a: 1, x_unknown_field: null }]],
  ['minProperties', { type: 'object', minProperties: 2 }, { a: 1, b: 2 }, [{ a: 1 }, { b: 2 }]],
  [
    'maxProperties',
    { type: 'object', maxProperties: 2 },
    { a: 1 },
    [{ a: 1, propertya: 'a', propertyb: 'a' }],
  ],
  ['discriminator', forms, { kind: 'x' }, [{ kind: 'X' }, { kind: 'x_unknown_field' }]],
  ['oneOf', { oneOf: [{ minimum: 3 }, { maximum: 5 }] }, 9, ['a']],
  ['anyOf', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 9, ['a', null]],
] as [string, object, Value, unknown[]][])('%s is broken: %j', (keyword, schema, value, expected) => {
  const document = documentOf(JSON.parse(JSON.stringify(schema)))
  const found = createSchemas(document)
    .breaks(IT, value)
    .filter(({ change }) => change.keyword === keyword)
  expect(found.map(({ body }) => body)).toEqual(expect.arrayContaining(expected))
})

test('a property inside an absent object is broken in a body that contains it', () => {
  const inner = { type: 'object', properties: { b: { type: 'integer' } } }
  const made = createSchemas(documentOf({ type: 'object', properties: { a: inner } }))
  expect(made.breaks(IT, {}).map(({ body }) => body)).toContainEqual({ a: { b: null } })
})

test('a keyword that cannot be broken alone is broken with others, and says so', () => {
  const schema = { allOf: [{ type: 'string', pattern: '^[0-9]+$' }, { pattern: '^[0-9]{2}$' }] }
  const found = createSchemas(documentOf(schema)).breaks(IT, '12')
  const wide = found.filter(({ change }) => change.contract === `${IT}/allOf/0/pattern`)
  expect(wide.length).toBeGreaterThan(1)
  for (const { change } of wide) expect(change.note).toContain(`(which breaks ${IT}/allOf/1/pattern too)`)
})

test('a change that breaks several properties is tried once', () => {
  const schema = {
    required: ['a'],
    properties: { a: { const: 1 } },
    minProperties: 1,
  }
  const found = createSchemas(documentOf(schema)).breaks(IT, { a: 1 })
  const empty = found.filter(({ body }) => JSON.stringify(body) === '{}')
  expect(empty.map(({ change }) => change.keyword).sort()).toEqual(['minProperties', 'required'])
})

test('a list of one item is also broken in a second item', () => {
  const schema = { type: 'array', items: { type: 'string', maxLength: 1 } }
  const found = createSchemas(documentOf(schema)).breaks(IT, ['a'])
  expect(found.map(({ body }) => body)).toContainEqual(['a', 0])
  expect(found.map(({ change }) => change.pointer)).toContain('/1')
})

test('an added property is also broken next to all others', () => {
  const inner = { type: 'object', properties: { a: { type: 'string', pattern: '^a$' }, b: { const: 1 } } }
  const found = createSchemas(documentOf({ type: 'object', properties: { inner } })).breaks(IT, {})
  const bodies = found.filter(({ change }) => change.pointer === '/inner/a').map(({ body }) => body)
  expect(bodies).toContainEqual({ inner: { a: 'A' } })
  expect(bodies).toContainEqual({ inner: { a: 'A', b: 1 } })
})

test('examples of a schema are used in the bodies', () => {
  const schema = { type: 'string', pattern: '^([0-9]{11}|[A-Z]{2})$', examples: ['12345678909', 'AB'] }
  const found = createSchemas(documentOf(schema)).breaks(IT, '00000000000')
  expect(found.map(({ body }) => body)).toEqual(expect.arrayContaining(['123.456.789-09', 'ab']))
})

test('null has no properties to leave out', () => {
  const schema = { type: ['object', 'null'], required: ['a'], properties: { a: {} } }
  const found = createSchemas(documentOf(schema)).breaks(IT, null)
  expect(found.map(({ change }) => change.keyword)).not.toContain('')
  expect(found.map(({ body }) => body)).toContain(true)
})

test('names the open question of a keyword', () => {
  const value = { dict_key: 'beltrana@example.com' }
  const found = schemas.breaks('/components/schemas/CheckKeyRequest', value)
  const questions = new Map(found.map(({ change }) => [change.contract, change.question]))
  expect(questions.get('/components/schemas/DictKey/maxLength')).toBe('key-forms')
  expect(questions.get('/components/schemas/CheckKeyRequest/required')).toBeUndefined()
})

describe('every invalid variant', () => {
  test.each(bodySchemas(contract, 'requestBody'))('of %s is of the one keyword that it names', (pointer) => {
    expectBreaks(contract, pointer, schemas.validOf(pointer) ?? null, schemas)
  })

  test.each(Object.keys(HAND_WRITTEN).filter((name) => name !== 'anything'))(
    'of %s is of the one keyword that it names',
    (name) => {
      const document = documentOf(HAND_WRITTEN[name])
      const made = createSchemas(document)
      expectBreaks(document, IT, made.validOf(IT) ?? null, made)
    },
  )
})

function expectBreaks(document: object, pointer: string, value: Value, made: Schemas) {
  const judge = judgeOf(document, pointer)
  const found = made.breaks(pointer, value)
  expect(found.length).toBeGreaterThan(0)
  for (const { body, change } of found) {
    const all = judge(body).map((it) => [it.contract, it.pointer, it.keyword, it.question])
    const own = [change.contract, change.pointer, change.keyword, change.question]
    if (change.note.includes('(which breaks')) expect(all).toContainEqual(own)
    else expect(all, JSON.stringify(body)).toEqual([own])
  }
}
