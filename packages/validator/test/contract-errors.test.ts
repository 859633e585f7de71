import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { type ContractError, createValidator } from '../src/index.ts'
import { brief, contract, documentOf, findingsOf, valueAt } from './contract.ts'

const base = '/paths/~1it/post/requestBody/content/application~1json/schema'

/** The errors of a document and a validator of its usable parts. */
function opened(document: object) {
  const errors: ContractError[] = []
  const validator = createValidator(document, { onContractError: (error) => errors.push(error) })
  return {
    validator,
    errors: errors.map(({ pointer, keyword }) => [pointer, keyword]),
    messages: errors.map(String),
  }
}

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

  it('is found in an unused component and in an object that is a schema only by reference', () => {
    const components = { schemas: { Unused: { type: 1 } }, 'x-models': { Used: { type: 2 } } }
    const document = documentOf({ $ref: '#/components/x-models/Used' }, components)
    expect(opened(document).errors).toEqual([
      ['/components/schemas/Unused/type', 'type'],
      ['/components/x-models/Used/type', 'type'],
    ])
  })
})

describe('a parameter', () => {
  const named = { name: 'p', in: 'query', schema: { type: 'integer' } }
  const cases: [string, unknown, string, string][] = [
    ['without a name', { ...named, name: undefined }, 'name', 'must have "name": a string, got undefined'],
    ['in the body', { ...named, in: 'body' }, 'in', 'must have "in": path, query or header'],
    ['that is null', null, 'name', 'must have "name"'],
  ]
  it.each(cases)('is refused %s, and ignored with onContractError', (_, wrong, keyword, message) => {
    const paths = { '/it': { get: { parameters: [wrong, { ...named, name: 'other' }] } } }
    const pointer = '/paths/~1it/get/parameters/0'
    const make = () => createValidator({ openapi: '3.1.0', paths })
    expect(make).toThrow(expect.objectContaining({ name: 'ContractError', pointer, keyword }))
    expect(make).toThrow(message)
    const { validator, errors } = opened({ openapi: '3.1.0', paths })
    expect(errors).toEqual([[pointer, keyword]])
    const request = { method: 'GET', path: '/it', query: 'p=x&undefined=x&other=x' }
    expect(brief(validator.validateRequest(request))).toEqual(['query/other type'])
  })
})

describe('the document of a validator', () => {
  const of = (schema: unknown, components?: object) =>
    valueAt(opened(documentOf(schema, components)).validator.document, base)

  it('is the same object if nothing has to change', () => {
    const document = documentOf({ $ref: '#/components/schemas/A' }, { schemas: { A: { type: 'string' } } })
    expect(createValidator(document).document).toBe(document)
  })

  it('has no invalid parts', () => {
    expect(of({ properties: { a: { type: 5 }, b: { $ref: '#/none' }, c: {} } })).toEqual({
      properties: { a: {}, b: {}, c: {} },
    })
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
  it.each(cases)('is refused at its location, also with onContractError: %s', (_, document, pointer, use) => {
    for (const make of [() => createValidator(document), () => opened(document)]) {
      expect(make).toThrow(expect.objectContaining({ name: 'ContractError', pointer }))
      expect(make).toThrow(`"${pointer}" is not implemented: `)
      expect(make).toThrow(use)
    }
  })

  it('is not in the contract and its short paths', () => {
    expect(createValidator(contract).operations).toHaveLength(20)
    expect(createValidator(guide).operations).toHaveLength(5)
  })
})

describe('onContractError', () => {
  it('receives every error, and all valid schemas are used', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { exclusiveMinimum: true, type: 'integer' },
        b: { type: 'string' },
        c: { $ref: '#/none' },
      },
    }
    const { validator, errors } = opened(documentOf(schema))
    expect(errors).toEqual([
      [`${base}/properties/a/exclusiveMinimum`, 'exclusiveMinimum'],
      [`${base}/properties/c/$ref`, '$ref'],
    ])
    expect(brief(findingsOf(validator, { a: 'not judged', b: 1, c: 1 }))).toEqual(['body/b type'])
    expect(brief(findingsOf(validator, 1))).toEqual(['body type'])
  })

  const broken = { type: 'strin' }
  const ref = { $ref: '#/components/schemas/Broken' }
  const cases: [string, object, unknown][] = [
    ['oneOf', { oneOf: [broken, { type: 'integer' }] }, 1],
    ['oneOf, around it', { oneOf: [{ properties: { a: broken } }, { type: 'object' }] }, { a: 1 }],
    ['oneOf, by a reference', { oneOf: [{ items: ref }, { type: 'array' }] }, [1]],
    ['additionalProperties', { properties: { a: broken }, additionalProperties: false }, { a: 1 }],
  ]
  it.each(cases)('ignores keywords that depend on an invalid schema: %s', (_, schema, body) => {
    const { validator } = opened(documentOf(schema, { schemas: { Broken: broken } }))
    expect(brief(findingsOf(validator, body))).toEqual([])
  })

  it('uses the other branches beside an invalid schema', () => {
    const { validator } = opened(documentOf({ properties: { a: { allOf: [broken, { type: 'string' }] } } }))
    expect(brief(findingsOf(validator, { a: 1 }))).toEqual(['body/a type'])
  })

  it('receives invalid references of other objects, which are then not validated', () => {
    const lost = { $ref: '#/components/none' }
    const post = { parameters: [lost], requestBody: lost, responses: { 200: lost } }
    const { validator, errors } = opened({ openapi: '3.1.0', paths: { '/it': { post }, '/lost': lost } })
    expect(errors).toHaveLength(4)
    const [operation] = validator.operations
    expect(validator.operations).toHaveLength(1)
    expect(findingsOf(validator, 1)).toEqual([])
    expect(operation && validator.validateResponse(operation, { status: 200, body: 1 })).toEqual([])
  })

  it('does not receive an unsupported OpenAPI version, which is always thrown', () => {
    expect(() => opened({ openapi: '3.0.3' })).toThrow('must be 3.1')
  })

  it('keeps the pointers of ignored schemas', () => {
    const { validator } = opened(documentOf({ oneOf: [{ type: 'string' }, broken] }))
    expect(validator.validateValue(`${base}/oneOf/0`, 1)).toEqual([])
    expect(() => validator.validateValue(`${base}/anyOf/0`, 1)).toThrow(TypeError)
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
    const { validator, errors } = opened(document)
    expect(errors).toEqual([])
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
