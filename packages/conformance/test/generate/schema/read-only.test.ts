import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchemas } from '../../../src/generate/schema/index.ts'
import { documentOf, IT, withoutExamples } from './documents.ts'

const Id = { type: 'string', minLength: 1, readOnly: true }
const line = {
  type: 'object',
  required: ['number', 'text'],
  properties: { number: { type: 'integer', readOnly: true }, text: { type: 'string', maxLength: 9 } },
}
/** A schema with read-only properties: directly, in a part, behind a reference, in a list and in a branch. */
const order = {
  allOf: [
    { type: 'object', required: ['id', 'name', 'secret', 'lines'], properties: { id: ref('Id') } },
    {
      properties: {
        name: { type: 'string', minLength: 2 },
        secret: { type: 'string', writeOnly: true },
        lines: { type: 'array', minItems: 1, items: ref('Line') },
        created: { type: 'string', format: 'date-time', readOnly: true },
        owner: {
          oneOf: [
            { type: 'string' },
            { type: 'object', required: ['key'], properties: { key: ref('Id'), city: { type: 'string' } } },
          ],
        },
      },
    },
  ],
  examples: [
    { id: '7', name: 'Ana', secret: 's', created: '2026-01-02T03:04:05Z', lines: [{ number: 1, text: 'a' }] },
  ],
}
const READ_ONLY = /"(id|number|created|key)":/

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

const schemas = createSchemas(documentOf(order, { Id, Line: line }))
const value = schemas.validOf(IT)

test('omits read-only properties in bodies from an example', () => {
  expect(value).toEqual({ name: 'Ana', secret: 's', lines: [{ text: 'a' }] })
})

test('omits them in bodies from the schema', () => {
  const made = createSchemas(withoutExamples(documentOf(order, { Id, Line: line }))).validOf(IT)
  expect(made).toEqual({ name: expect.any(String), secret: expect.any(String), lines: [expect.anything()] })
  expect(JSON.stringify(made)).not.toMatch(READ_ONLY)
})

test('neither adds, changes nor requires them', () => {
  if (value === undefined) throw new Error('no value was made')
  const cases = [...schemas.boundaries(IT, value), ...schemas.breaks(IT, value)]
  expect(cases.length).toBeGreaterThan(50)
  for (const { body, change } of cases) {
    expect(JSON.stringify(body)).not.toMatch(READ_ONLY)
    expect(change.pointer).not.toMatch(/\/(id|number|created|key)$/)
  }
  expect(cases.map(({ change }) => change.note)).toContain('left out')
})

test('generates none at random', () => {
  const values = schemas.arbitraryOf(IT) ?? fc.constant(null)
  fc.assert(
    fc.property(values, (it) => !READ_ONLY.test(JSON.stringify(it))),
    { seed: 3, numRuns: 100 },
  )
})
