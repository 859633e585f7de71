import { expect, test } from 'vitest'
import { markedSchemas } from '../build/marked-schemas.ts'

/** The marked copy of one schema, with other schemas beside it. */
function marked(
  schema: object,
  others: Record<string, Record<string, unknown>> = {},
  question?: string,
) {
  const schemas = markedSchemas({ It: { ...schema }, ...others })
  schemas.copyToName('It', question)
  return schemas.marked
}

test('a mark on a node applies to everything below it and to referenced schemas', () => {
  const schema = {
    'x-open-question': 'a',
    type: 'array',
    items: { $ref: '#/components/schemas/Item' },
  }
  expect(marked(schema, { Item: { type: 'string', 'x-open-question': { type: 'b' } } })).toEqual({
    It: {
      type: 'array',
      items: { $ref: '#/$defs/Item-a', 'x-questions': 'a' },
      'x-questions': 'a',
    },
    'Item-a': { type: 'string', 'x-questions': 'a' },
  })
})

test('a mark on a node overrides a mark above it', () => {
  const schema = { type: 'object', properties: { x: { type: 'null', 'x-open-question': 'b' } } }
  const { It, 'It-a': below } = marked(schema, {}, 'a')
  expect(It).toBeUndefined()
  expect(below).toMatchObject({ 'x-questions': 'a', properties: { x: { 'x-questions': 'b' } } })
})

test('the presence of an assumed property is an assumption', () => {
  const properties = {
    fact: { type: 'string' },
    whole: { type: 'string', 'x-open-question': 'a' },
    presence: { type: 'string', 'x-open-question': { presence: 'b' } },
    elsewhere: { $ref: '#/components/schemas/Other' },
  }
  const schema = { required: Object.keys(properties), properties }
  expect(marked(schema, { Other: { type: 'string', 'x-open-question': 'c' } }).It).toMatchObject({
    'x-questions': { 'required whole': 'a', 'required presence': 'b', 'required elsewhere': 'c' },
  })
})

test('a choice within one type stays unchanged', () => {
  const anyOf = [
    { type: 'string', minLength: 3 },
    { type: 'string', format: 'date' },
  ]
  expect(marked({ anyOf }).It).toMatchObject({ anyOf })
})
