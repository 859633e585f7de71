import { expect, test } from 'vitest'
import { createSchemas } from '../../../src/generate/schema/schemas.ts'
import {
  bodySchemas,
  components,
  contract,
  documentOf,
  HAND_WRITTEN,
  IT,
  judgeOf,
  schemas,
  withoutExamples,
} from './documents.ts'

const ALL = [...components, ...bodySchemas(contract, 'requestBody'), ...bodySchemas(contract, 'responses')]

const bare = createSchemas(withoutExamples(contract))

test('the contract has body schemas', () => {
  expect(bodySchemas(contract, 'requestBody').length).toBeGreaterThan(9)
  expect(bodySchemas(contract, 'responses').length).toBeGreaterThan(9)
})

test.each(ALL)('%s has a value from its examples, and one from its keywords', (pointer) => {
  const judge = judgeOf(contract, pointer)
  for (const value of [schemas.validOf(pointer), bare.validOf(pointer)]) {
    expect(value).toBeDefined()
    expect(judge(value)).toEqual([])
  }
})

test.each(Object.keys(HAND_WRITTEN))('%s has a value', (name) => {
  const document = withoutExamples(documentOf(HAND_WRITTEN[name]))
  const value = createSchemas(document).validOf(IT)
  expect(value).toBeDefined()
  expect(judgeOf(document, IT)(value)).toEqual([])
})

test.each([
  ['the first example', { type: 'string', examples: ['b', 'a'] }, 'b'],
  ['an example of OpenAPI', { type: 'string', example: 'c' }, 'c'],
  ['an example that is right, if the first is wrong', { type: 'string', examples: [1, 'a'] }, 'a'],
  ['the constant', { const: 4 }, 4],
  ['the first of the values', { enum: ['x', 'y'] }, 'x'],
  ['the default', { type: 'integer', default: 20 }, 20],
  [
    'required properties only',
    { type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: {} } },
    { a: 0 },
  ],
  ['the fewest items', { type: 'array', minItems: 2, items: { type: 'boolean' } }, [true, true]],
  ['as few characters as may be', { type: 'string', minLength: 3 }, 'aaa'],
  ['a number inside both bounds', { type: 'integer', exclusiveMinimum: 4, maximum: 5 }, 5],
  ['what is no null, where it may be', { type: ['null', 'string'], minLength: 2 }, null],
])('a value is %s', (_, schema, value) => {
  expect(createSchemas(documentOf(schema)).validOf(IT)).toEqual(value)
})

test.each([
  ['false', false],
  [
    'that hold themselves without end',
    { type: 'object', required: ['a'], properties: { a: { $ref: `#${IT}` } } },
  ],
  ['that contradict themselves', { type: 'string', minLength: 3, maxLength: 2 }],
])('schemas %s have none', (_, schema) => {
  expect(createSchemas(documentOf(schema)).validOf(IT)).toBeUndefined()
})

test('throws for an unknown pointer', () => {
  expect(() => schemas.validOf('/components/schemas/Nothing')).toThrow(TypeError)
})
