import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { createValidator } from '../src/index.ts'
import { brief, contract, documentOf, findingsOf } from './contract.ts'

const base = '/paths/~1it/post/requestBody/content/application~1json/schema'

describe('a keyword with an invalid value', () => {
  const cases: [string, object, string, string][] = [
    [
      'exclusiveMinimum of OpenAPI 3.0',
      { exclusiveMinimum: true },
      '/exclusiveMinimum',
      'must be a number, got true',
    ],
    ['an unknown type', { type: 'strin' }, '/type', 'got "strin"'],
    ['no types', { type: [] }, '/type', 'must be one or more of'],
    ['a number as a string', { minimum: '1' }, '/minimum', 'must be a number, got "1"'],
    ['a negative length', { maxLength: -1 }, '/maxLength', 'must be a non-negative integer, got -1'],
    ['a name as list', { required: 'a' }, '/required', 'must be an array of strings, got "a"'],
    ['one value as list', { enum: 'a' }, '/enum', 'must be an array of one value or more, got "a"'],
    ['an empty list of values', { enum: [] }, '/enum', 'must be an array of one value or more, got []'],
    ['an empty choice', { oneOf: [] }, '/oneOf', 'must be an array of one schema or more, got []'],
    ['a list of items', { items: [{}] }, '/items', 'must be a schema, got an array'],
    [
      'a property that is a string',
      { properties: { a: 'string' } },
      '/properties/a',
      'must be a schema, got "string"',
    ],
    ['an invalid pattern', { pattern: '(' }, '/pattern', 'must be a regular expression, got "("'],
  ]
  it.each(cases)('is refused at its location: %s', (_, schema, place, message) => {
    const keyword = place.split('/')[1]
    const make = () => createValidator(documentOf({ properties: { deep: schema } }))
    const pointer = `${base}/properties/deep${place}`
    expect(make).toThrow(expect.objectContaining({ name: 'ContractError', pointer, keyword }))
    expect(make).toThrow(message)
  })

  it.each([
    ['in an unused component', {}, { schemas: { Unused: { type: 1 } } }, '/components/schemas/Unused/type'],
    [
      'in an object that is a schema only by reference',
      { $ref: '#/components/x-models/Used' },
      { 'x-models': { Used: { type: 2 } } },
      '/components/x-models/Used/type',
    ],
  ])('is found %s', (_, schema, components, pointer) => {
    const make = () => createValidator(documentOf(schema, components))
    expect(make).toThrow(expect.objectContaining({ name: 'ContractError', pointer }))
  })
})

describe('a parameter', () => {
  const named = { name: 'p', in: 'query', schema: { type: 'integer' } }
  const cases: [string, unknown, string, string][] = [
    ['without a name', { ...named, name: undefined }, 'name', 'must have "name": a string, got undefined'],
    ['in the body', { ...named, in: 'body' }, 'in', 'must have "in": path, query or header'],
    ['that is null', null, 'name', 'must have "name"'],
  ]
  it.each(cases)('is refused %s', (_, wrong, keyword, message) => {
    const paths = { '/it': { get: { parameters: [wrong, { ...named, name: 'other' }] } } }
    const make = () => createValidator({ openapi: '3.1.0', paths })
    const pointer = '/paths/~1it/get/parameters/0'
    expect(make).toThrow(expect.objectContaining({ name: 'ContractError', pointer, keyword }))
    expect(make).toThrow(message)
  })
})

describe('what the validator does not implement', () => {
  const schema = (it: object) => documentOf({ properties: { deep: it } })
  const parameter = (it: object) => {
    const parameters = [{ name: 'p', in: 'query', schema: {}, ...it }]
    return { openapi: '3.1.0', paths: { '/it': { get: { parameters } } } }
  }
  const content = (place: string, type: string) => ({
    openapi: '3.1.0',
    paths: {
      '/it': {
        post: {
          [place]: place === 'responses' ? { 200: { content: { [type]: {} } } } : { content: { [type]: {} } },
        },
      },
    },
  })
  const at = `${base}/properties/deep`
  const p = '/paths/~1it/get/parameters/0'
  const cases: [string, object, string, string][] = [
    ...['$id', '$anchor', '$dynamicRef', '$defs', 'not', 'if', 'contains', 'prefixItems'].map(
      (it): [string, object, string, string] => [it, schema({ [it]: {} }), `${at}/${it}`, 'another keyword'],
    ),
    ...['unevaluatedProperties', 'multipleOf', 'uniqueItems', 'readOnly', 'nullable', 'minLenght'].map(
      (it): [string, object, string, string] => [it, schema({ [it]: 1 }), `${at}/${it}`, 'another keyword'],
    ),
    ['a format', schema({ format: 'email' }), `${at}/format`, 'use date, date-time, uuid, uri'],
    ['a style', parameter({ style: 'deepObject' }), `${p}/style`, 'leave it out'],
    ['explode', parameter({ explode: true }), `${p}/explode`, 'leave it out'],
    ['a cookie', parameter({ in: 'cookie' }), `${p}/in`, 'use path, query or header'],
    ['a list', parameter({ schema: { type: 'array' } }), `${p}/schema`, 'use a single value'],
    ['a form', content('requestBody', 'multipart/form-data'), '/paths/~1it/post/requestBody/content', 'JSON'],
    ['a text', content('responses', 'text/plain'), '/paths/~1it/post/responses/200/content', 'JSON'],
  ]
  it.each(cases)('is refused at its location: %s', (_, document, pointer, use) => {
    const make = () => createValidator(document)
    expect(make).toThrow(expect.objectContaining({ name: 'ContractError', pointer }))
    expect(make).toThrow(`"${pointer}" is not implemented: `)
    expect(make).toThrow(use)
  })

  it('is not in the contract and its short paths', () => {
    expect(createValidator(contract).operations).toHaveLength(20)
    expect(createValidator(guide).operations).toHaveLength(5)
  })
})

describe('an extension', () => {
  const odd = { $ref: '#/none', $id: 'a b', $anchor: 7, type: 'strin', pattern: '(', properties: 1 }
  it('is never read as a schema', () => {
    const document = {
      openapi: '3.1.0',
      'x-root': { schema: odd },
      paths: {
        'x-shared': { get: { responses: odd } },
        '/it': {
          'x-item': odd,
          post: {
            'x-operation': { schema: odd },
            requestBody: { content: { 'application/json': { schema: { type: 'string', 'x-schema': odd } } } },
            responses: { 'x-default': odd, 200: { description: '' } },
          },
        },
      },
      components: {
        'x-schemas': { Odd: odd },
        schemas: { A: { 'x-also': odd, const: odd, enum: [odd], default: odd } },
      },
    }
    const validator = createValidator(document)
    expect(validator.operations.map(({ path }) => path)).toEqual(['/it'])
    expect(brief(findingsOf(validator, 1))).toEqual(['body type'])
    const [operation] = validator.operations
    expect(operation && validator.validateResponse(operation, { status: 500 })).toMatchObject([
      { message: 'expected 200, got 500' },
    ])
  })

  it('may be the name of a property or component, which is validated', () => {
    const document = documentOf(
      { properties: { 'x-a': { $ref: '#/components/schemas/x-b' } } },
      { schemas: { 'x-b': { type: 'string' } } },
    )
    expect(brief(findingsOf(createValidator(document), { 'x-a': 1 }))).toEqual(['body/x-a type'])
  })
})
