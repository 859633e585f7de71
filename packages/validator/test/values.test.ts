import { describe, expect, it } from 'vitest'
import { createValidator } from '../src/index.ts'
import { brief } from './contract.ts'

const schemas = { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } }
const validator = createValidator({ openapi: '3.1.0', components: { schemas } })

describe('validateValue', () => {
  it('validates a value by any schema of the document', () => {
    expect(validator.validateValue('/components/schemas/Pet', { name: 'a' })).toEqual([])
    expect(validator.validateValue('/components/schemas/Pet/properties/name', 7)).toMatchObject([
      { place: 'body', pointer: '', contract: '/components/schemas/Pet/properties/name/type' },
    ])
  })

  it('reports undeclared properties with `unknown`', () => {
    const found = validator.validateValue(
      '/components/schemas/Pet',
      { name: 'a', more: 1 },
      { unknown: true },
    )
    expect(brief(found)).toEqual(['body/more unknown'])
  })

  it('throws a TypeError for an unresolvable pointer', () => {
    expect(() => validator.validateValue('/components/schemas/None', 1)).toThrow(TypeError)
  })
})
