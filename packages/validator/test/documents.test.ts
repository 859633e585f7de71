import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { createValidator, type Finding } from '../src/index.ts'
import { brief, contract, documentOf, findingsOf, JSON_HEADERS } from './contract.ts'

const BASE = '/paths/~1it/post/requestBody/content/application~1json/schema'

function bodyFindings(schema: unknown, body: unknown, components: object = {}): Finding[] {
  return findingsOf(createValidator(documentOf(schema, components)), body)
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const documentWith = (operation: object, more: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/it': { post: operation } },
  ...more,
})

describe('a recursive schema', () => {
  const Tree = object({
    name: { type: 'string' },
    nodes: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  })
  const validator = createValidator(
    documentOf({ $ref: '#/components/schemas/Tree' }, { schemas: { Tree } }),
  )

  it('is validated as deep as the value', () => {
    expect(findingsOf(validator, { name: 'a', nodes: [{ nodes: [{ name: 'c' }] }] })).toEqual([])
    const wrong = { nodes: [{ nodes: [{ name: 7, more: 7 }] }] }
    expect(brief(findingsOf(validator, wrong, { unknown: true }))).toEqual([
      'body/nodes/0/nodes/0/name type',
      'body/nodes/0/nodes/0/more unknown',
    ])
  })

  it('is validated to 64 levels', () => {
    let body: object = {}
    for (let i = 0; i < 100_000; i++) body = { nodes: [body] }
    expect(findingsOf(validator, body)).toMatchObject([
      { keyword: 'depth', message: 'expected at most 64 levels, got more' },
    ])
  })
})

describe('a discriminator', () => {
  const branch = (kind: string, more: object) =>
    object({ kind: { const: kind }, ...more }, { required: ['kind'] })
  const schemas = {
    Cat: branch('cat', { lives: { type: 'integer' } }),
    Dog: {
      allOf: [{ $ref: '#/components/schemas/Pet' }, branch('dog', { tricks: { type: 'integer' } })],
    },
    Pet: object({ name: { type: 'string' } }),
  }
  const oneOf = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const pets = object({
    pets: { type: 'array', items: { oneOf, discriminator: { propertyName: 'kind' } } },
  })

  it.each<[unknown, string[]]>([
    [{ kind: 'dog', tricks: 'many', name: 7 }, ['/tricks type', '/name type']],
    [{ kind: 'cow', lives: 'x' }, ['/kind discriminator']],
    [{ lives: 'x' }, ['/kind required']],
    ['dog', [' oneOf']],
    [{ kind: 'cat', lives: 9, tricks: 'many' }, []],
  ])('selects the branch whose findings are reported: %j', (pet, found) => {
    const right = { kind: 'cat', lives: 9 }
    const expected = found.map((it) => `body/pets/1${it}`)
    expect(brief(bodyFindings(pets, { pets: [right, pet, right] }, { schemas }))).toEqual(expected)
  })
})

describe('a choice by type', () => {
  const anyOf = [
    { type: 'string', minLength: 2 },
    { type: 'array', items: { type: 'integer' } },
    { type: 'null' },
  ]
  it.each<[unknown, string[]]>([
    ['a', ['body minLength']],
    [[1, 'b'], ['body/1 type']],
    [null, []],
    [true, ['body anyOf']],
  ])('reports the findings of the branch of the type: %j', (body, found) => {
    expect(brief(bodyFindings({ anyOf }, body))).toEqual(found)
  })

  it('names all types', () => {
    const message = 'expected string, array or null, got boolean'
    expect(bodyFindings({ anyOf }, true)).toMatchObject([{ contract: `${BASE}/anyOf`, message }])
  })
})

describe('a required property', () => {
  const a = { type: 'string', 'x-open-question': 'whole' }
  const there = { 'x-open-question': { presence: 'there' } }
  it.each<[string, object, object, string | undefined]>([
    ['is an assumption if the whole property is one', a, {}, 'whole'],
    ['is an assumption if its presence is marked', there, {}, 'there'],
    ['is an assumption if its target is one', { $ref: '#/components/schemas/A' }, {}, 'whole'],
    [
      'is a fact if another keyword is marked',
      { 'x-open-question': { type: 'text' } },
      {},
      undefined,
    ],
    ['belongs to an assumed object', a, { 'x-open-question': 'object' }, 'object'],
    ['has its presence before the object', there, { 'x-open-question': 'object' }, 'there'],
  ])('%s', (_, property, more, question) => {
    const schema = object({ it: property }, { required: ['it'], ...more })
    expect(bodyFindings(schema, {}, { schemas: { A: a } }).map((it) => it.question)).toEqual([
      question,
    ])
  })
})

describe('keywords', () => {
  it.each<[string, unknown, unknown, string[], string?]>([
    ['false', object({ a: false }), { a: 1 }, ['body/a false'], 'properties/a'],
    ['false in allOf', { allOf: [false] }, 1, ['body false'], 'allOf/0'],
    ['false items', { items: false }, [1], ['body/0 false'], 'items'],
    [
      'additionalProperties',
      object({}, { additionalProperties: false }),
      { a: 1 },
      ['body/a additionalProperties'],
      'additionalProperties',
    ],
    [
      'additionalProperties, a schema',
      { additionalProperties: { type: 'string' } },
      { a: 1 },
      ['body/a type'],
    ],
    ['type and enum', { type: 'string', enum: ['a'] }, 1, ['body type']],
    ['pattern without Unicode', { pattern: '^\\-$' }, '+', ['body pattern']],
    [
      'inherited object names',
      object({}, { required: ['toString'] }),
      {},
      ['body/toString required'],
    ],
    [
      'keys with slashes',
      object({ 'a/b~': { type: 'string' } }),
      { 'a/b~': 1 },
      ['body/a~1b~0 type'],
    ],
    ['two of one thing', { allOf: [{ type: 'object' }, { type: 'object' }] }, 1, ['body type']],
  ])('%s', (_, schema, body, expected, place) => {
    const found = bodyFindings(schema, body)
    expect(brief(found)).toEqual(expected)
    if (place) expect(found[0]?.contract).toBe(`${BASE}/${place}`)
  })
})

it('selects the schema by the media type, whatever its case and parameters', () => {
  const content = {
    'application/json': { schema: { type: 'integer' } },
    'application/problem+json; charset=utf-8': { schema: { type: 'string' } },
  }
  const validator = createValidator(documentWith({ requestBody: { content } }))
  const send = (type: string, body: unknown) =>
    brief(
      validator.validateRequest({
        method: 'POST',
        path: '/it',
        headers: { 'content-type': type },
        body,
      }),
    )
  expect(send('Application/JSON; charset=utf-8', 'a')).toEqual(['body type'])
  expect(send('application/problem+json', 1)).toEqual(['body type'])
  expect(send('application/vnd.x+json', 1)).toEqual(['media-type content'])
  expect(brief(findingsOf(validator, undefined)), 'an optional body').toEqual([])
})

describe('a response', () => {
  const schema = (type: string) => ({ content: { 'application/json': { schema: { type } } } })
  const responses = {
    200: schema('integer'),
    '2XX': schema('string'),
    default: schema('boolean'),
    404: {},
  }
  const validator = createValidator({
    openapi: '3.1.0',
    paths: { '/it': { get: { responses }, head: { responses } } },
  })

  it.each<[number, unknown, string[], number?]>([
    [200, 1, []],
    [200, 'a', ['body type']],
    [201, 'a', []],
    [201, 1, ['body type']],
    [500, true, []],
    [500, 1, ['body type']],
    [404, { an: 'undeclared body' }, []],
    [200, undefined, [], 1],
  ])(
    'is validated by status, else by range, else by default: %s %j',
    (status, body, found, index = 0) => {
      const [operation = index] = validator.operations.slice(index)
      if (typeof operation === 'number') throw new Error('no operation')
      expect(
        brief(validator.validateResponse(operation, { status, headers: JSON_HEADERS, body })),
      ).toEqual(found)
    },
  )
})

describe('a document that is not implemented, or invalid', () => {
  const deep = (schema: unknown) => documentOf({ properties: { deep: schema } })
  const at = (keyword: string) => `${BASE}/properties/deep${keyword}`
  const parameter = (it: unknown) => documentWith({ parameters: [it] })
  const p = { name: 'p', in: 'query', schema: {} }
  const place = '/paths/~1it/post/parameters/0'
  const none = 'is not implemented: remove it, or use another keyword'
  const loop = { allOf: [{ $ref: '#/components/schemas/Loop' }] }
  const tagged = (value: unknown, required: string[] = ['k']) =>
    object({ k: { const: value } }, { required })
  const discriminator = { propertyName: 'k' }
  const apart = 'is not implemented: use branches of different types'
  const form = { content: { 'multipart/form-data': {} } }

  it.each<[string, object, string, string]>([
    ...[
      '$id',
      '$defs',
      'not',
      'if',
      'prefixItems',
      'multipleOf',
      'uniqueItems',
      'nullable',
      'minLenght',
    ].map((it): [string, object, string, string] => [it, deep({ [it]: 1 }), at(`/${it}`), none]),
    [
      'a format',
      deep({ format: 'email' }),
      at('/format'),
      'must be one of date, date-time, uuid, uri',
    ],
    [
      'a keyword of OpenAPI 3.0',
      deep({ exclusiveMinimum: true }),
      at('/exclusiveMinimum'),
      'a number, got true',
    ],
    ['an unknown type', deep({ type: 'strin' }), at('/type'), 'must be one or more of null'],
    ['a number as a string', deep({ minimum: '1' }), at('/minimum'), 'must be a number, got "1"'],
    [
      'a negative length',
      deep({ maxLength: -1 }),
      at('/maxLength'),
      'must be a non-negative integer, got -1',
    ],
    [
      'a name as list',
      deep({ required: 'a' }),
      at('/required'),
      'must be an array of strings, got "a"',
    ],
    ['no values', deep({ enum: [] }), at('/enum'), 'must be an array of one value or more, got []'],
    ['a list of items', deep({ items: [{}] }), at('/items'), 'must be a schema, got [{}]'],
    [
      'an invalid pattern',
      deep({ pattern: '(' }),
      at('/pattern'),
      'must be a regular expression, got "("',
    ],
    [
      'an unused component',
      documentOf({}, { schemas: { A: { type: 1 } } }),
      '/components/schemas/A/type',
      'must be',
    ],
    [
      'a missing target',
      deep({ $ref: '#/components/schemas/No' }),
      at('/$ref'),
      'must refer to a location',
    ],
    [
      'another document',
      deep({ $ref: 'a.json#/A' }),
      at('/$ref'),
      'must refer to #/components/schemas, got "a.json',
    ],
    [
      'a schema that refers to itself',
      documentOf({ $ref: '#/components/schemas/Loop' }, { schemas: { Loop: loop } }),
      '/components/schemas/Loop',
      'must not refer to itself',
    ],
    [
      'a body that refers to itself',
      documentWith(
        { requestBody: { $ref: '#/components/requestBodies/Loop' } },
        { components: { requestBodies: { Loop: { $ref: '#/components/requestBodies/Loop' } } } },
      ),
      '/paths/~1it/post/requestBody/$ref',
      'must not be circular',
    ],
    [
      'no choice',
      deep({ oneOf: [] }),
      at('/oneOf'),
      'must be an array of one schema or more, got []',
    ],
    [
      'integers and numbers',
      deep({ oneOf: [{ type: 'integer' }, { type: 'number' }] }),
      at('/oneOf'),
      apart,
    ],
    ['two objects', deep({ anyOf: [tagged('a'), tagged('b')] }), at('/anyOf'), apart],
    ['any types', deep({ oneOf: [{ minimum: 1 }, { maxLength: 9 }] }), at('/oneOf'), apart],
    [
      'one constant',
      deep({ oneOf: [tagged('a'), tagged('a')], discriminator }),
      at('/oneOf'),
      apart,
    ],
    [
      'an optional constant',
      deep({ oneOf: [tagged('a'), tagged('b', [])], discriminator }),
      at('/oneOf'),
      apart,
    ],
    [
      'a style',
      parameter({ ...p, style: 'deepObject' }),
      `${place}/style`,
      'is not implemented: leave it out',
    ],
    ['a cookie', parameter({ ...p, in: 'cookie' }), `${place}/in`, 'must be path, query or header'],
    [
      'a list',
      parameter({ ...p, schema: { type: 'array' } }),
      `${place}/schema/type`,
      'use a single value',
    ],
    ['no name', parameter({ ...p, name: undefined }), place, 'must have "name"'],
    ['null', parameter(null), place, 'must be a parameter, got null'],
    [
      'a form',
      documentWith({ requestBody: form }),
      '/paths/~1it/post/requestBody/content',
      'use a JSON media type',
    ],
    [
      'a part of a segment',
      { openapi: '3.1.0', paths: { '/{a}.json': {} } },
      '/paths',
      'whole segments',
    ],
    ['OpenAPI 3.0', { openapi: '3.0.3', paths: {} }, '/openapi', 'must be 3.1, got "3.0.3"'],
    ['a version that is a number', { openapi: 2, paths: {} }, '/openapi', 'must be 3.1, got 2'],
    ['no version', { paths: {} }, '', 'must have "openapi"'],
  ])('is refused at its location: %s', (_, document, pointer, message) => {
    const make = () => createValidator(document)
    expect(make).toThrow(expect.objectContaining({ name: 'ContractError', pointer }))
    expect(make).toThrow(message)
  })

  it('is neither the contract nor its short paths', () => {
    expect(createValidator({ ...contract }).operations).toHaveLength(20)
    expect(createValidator(guide).operations).toHaveLength(5)
  })
})

describe('an extension', () => {
  const odd = { $ref: '#/none', $id: 'a b', type: 'strin', pattern: '(', properties: 1 }

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
            requestBody: {
              content: { 'application/json': { schema: { type: 'string', 'x-schema': odd } } },
            },
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
    const [wrong] = (operation && validator.validateResponse(operation, { status: 500 })) ?? []
    expect(wrong?.message).toBe('expected 200, got 500')
  })

  it('may be the name of a property or component, which is validated', () => {
    const schema = { properties: { 'x-a': { $ref: '#/components/schemas/x-b' } } }
    const found = bodyFindings(schema, { 'x-a': 1 }, { schemas: { 'x-b': { type: 'string' } } })
    expect(brief(found)).toEqual(['body/x-a type'])
  })
})

it('limits the findings to maxFindings', () => {
  const schema = { type: 'array', items: object({}, { required: ['a', 'b'] }) }
  const body = Array.from({ length: 20_000 }, () => ({}))
  expect(findingsOf(createValidator(documentOf(schema)), body)).toHaveLength(100)
  const responses = { 200: { content: { 'application/json': { schema } } } }
  const document = { ...documentOf(schema), webhooks: { it: { post: { responses } } } }
  const validator = createValidator(document, { maxFindings: 3 })
  expect(findingsOf(validator, body)).toHaveLength(3)
  const [delivery] = validator.deliveries
  const message = { status: 200, headers: JSON_HEADERS, body }
  expect(delivery && validator.validateResponse(delivery, message)).toHaveLength(3)
})

it('reads a path item that is a component', () => {
  const document = {
    openapi: '3.1.0',
    paths: { '/it': { $ref: '#/components/pathItems/It' } },
    components: { pathItems: { It: { get: { operationId: 'it' } } } },
  }
  expect(createValidator(document).findOperation('GET', '/it')).toMatchObject({
    operation: { id: 'it' },
  })
})
