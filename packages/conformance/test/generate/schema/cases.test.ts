import { expect, test } from 'vitest'
import { createSchemas, describeChange } from '../../../src/generate/schema/index.ts'

const schemas = {
  Url: { type: 'string', format: 'uri', maxLength: 20 },
  It: {
    type: 'object',
    required: ['url'],
    properties: { url: { $ref: '#/components/schemas/Url' }, amount: { type: 'integer' } },
  },
}

const root = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {}, components: { schemas } }
const words = createSchemas(root)
  .breaks('/components/schemas/It', { url: 'https://example.com', amount: 1 })
  .map(({ change }) => describeChange(change))

test.each([
  'A request without /url',
  'A request whose /url is a number',
  'A request whose body is a number',
  'A request whose /url is empty, which is not a valid uri',
  'A request whose /url is 21 characters long',
  'A request whose /amount is the number as a string',
])('%s', (expected) => {
  expect(words).toContain(expected)
})

test('no message describes a value as "instead", "left out" or "with"', () => {
  expect(words.filter((it) => / (?:instead|is left out|is with|is without|is at) ?/.test(it))).toEqual([])
})
