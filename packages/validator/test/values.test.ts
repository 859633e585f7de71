import { describe, expect, it } from 'vitest'
import { createValidator } from '../src/index.ts'
import { brief } from './contract.ts'

const parameters = {
  limit: { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
  id: { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 3 } },
  trace: { name: 'X-Trace', in: 'header', schema: { type: 'boolean' } },
  accept: { name: 'Accept', in: 'header', required: true, schema: { minLength: 1 } },
}
const schemas = { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } }
const validator = createValidator({ openapi: '3.1.0', components: { parameters, schemas } })

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

describe('validateParameter', () => {
  const cases: [string, string | undefined, string[]][] = [
    ['limit', '1', []],
    ['limit', '0', ['query/limit minimum']],
    ['limit', '01', ['query/limit type']],
    ['limit', undefined, ['query/limit required']],
    ['id', 'a/b', []],
    ['id', 'a/bc', ['path/id maxLength']],
    ['trace', 'true', []],
    ['trace', 'TRUE', ['header/X-Trace type']],
  ]
  it.each(cases)('validates the text of %s: %j', (name, text, found) => {
    expect(brief(validator.validateParameter(`/components/parameters/${name}`, text))).toEqual(found)
  })

  it('ignores headers that OpenAPI ignores as parameters', () => {
    expect(validator.validateParameter('/components/parameters/accept', '')).toEqual([])
  })

  it('throws a TypeError if the pointer is not a parameter', () => {
    expect(() => validator.validateParameter('/components/schemas/Pet', '1')).toThrow(TypeError)
  })
})
