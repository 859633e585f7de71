import { createValidator } from '@partner-payments/validator'
import { expect, test } from 'vitest'
import { createSchemas } from '../../../src/generate/schema/index.ts'
import { documentOf, IT } from './documents.ts'

const named = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 2 } } }

test.each([
  ['an anchor', '#named', { Named: { $anchor: 'named', ...named } }],
  ['a name that is encoded', '#/components/schemas/A%20b', { 'A b': named }],
  ['an identifier', 'https://example.com/named', { Named: { $id: 'https://example.com/named', ...named } }],
])('follows %s', (_, $ref, others) => {
  const schemas = createSchemas(
    documentOf({ type: 'object', required: ['it'], properties: { it: { $ref } } }, others),
  )
  const value = schemas.validOf(IT)
  expect(value).toEqual({ it: { name: expect.any(String) } })
  const broken = schemas.breaks(IT, value ?? null).map(({ change }) => `${change.pointer} ${change.keyword}`)
  expect(broken).toContain('/it/name minLength')
})

/** A recursive tree, and one whose nodes are all strict. */
const tree = {
  $id: 'https://example.com/tree',
  $dynamicAnchor: 'node',
  type: 'object',
  required: ['children'],
  properties: { children: { type: 'array', items: { $dynamicRef: '#node' } }, size: { type: 'integer' } },
}
const strict = {
  $id: 'https://example.com/strict',
  $dynamicAnchor: 'node',
  $ref: 'tree',
  required: ['size'],
}

test('follows a dynamic reference with one possible target', () => {
  const { $id: _, ...alone } = tree
  const schemas = createSchemas(documentOf(alone))
  const broken = schemas.breaks(IT, { children: [{ children: [] }] })
  expect(broken.map(({ change }) => `${change.pointer} ${change.keyword}`)).toContain(
    '/children/0/children type',
  )
})

test('creates only valid values if a dynamic reference has several targets', () => {
  const validator = createValidator(documentOf(strict, { Tree: tree }))
  const schemas = createSchemas(validator.document, validator)
  const value = schemas.validOf(IT) ?? null
  const whole = { size: 1, children: [{ size: 2, children: [] }] }
  const found = (body: unknown) => validator.validateValue(IT, body)
  expect(found(whole)).toEqual([])
  expect(found({ size: 1, children: [{ children: [] }] })).toHaveLength(1)
  for (const accepted of [value, whole]) {
    expect(found(accepted)).toEqual([])
    for (const { body } of schemas.boundaries(IT, accepted)) expect(found(body)).toEqual([])
    for (const { body } of schemas.breaks(IT, accepted)) expect(found(body)).not.toEqual([])
  }
})
