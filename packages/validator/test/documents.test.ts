import { readContract } from '@partner-payments/contract'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { createValidator, type Finding } from '../src/index.ts'
import { brief, contract, createDocument, JSON_HEADERS, listFindings } from './contract.ts'

const BASE = '/paths/~1it/post/requestBody/content/application~1json/schema'

function bodyFindings(schema: unknown, body: unknown, components: object = {}): Finding[] {
  return listFindings(createValidator(createDocument(schema, components)), body)
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const documentWith = (operation: object, more: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/it': { post: operation } },
  ...more,
})

/** A required property that is missing, and the question of the finding. */
interface RequiredCase {
  readonly title: string
  readonly property: object
  /** What its object has beside it. */
  readonly more: object
  readonly question: string | undefined
}

/** A body with the findings by its schema. */
interface KeywordCase {
  readonly title: string
  readonly schema: unknown
  readonly body: unknown
  readonly expected: readonly string[]
  /** The keyword of the first finding in the contract, below the schema. */
  readonly place: string
}

interface InvalidDocument {
  readonly what: string
  readonly document: object
  /** The place of the error. */
  readonly pointer: string
  /** A part of the message. */
  readonly message: string
}

describe('a recursive schema', () => {
  const Tree = object({
    name: { type: 'string' },
    nodes: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  })
  const validator = createValidator(
    createDocument({ $ref: '#/components/schemas/Tree' }, { schemas: { Tree } }),
  )

  it('is validated as deep as the value', () => {
    expect(listFindings(validator, { name: 'a', nodes: [{ nodes: [{ name: 'c' }] }] })).toEqual([])
    const wrong = { nodes: [{ nodes: [{ name: 7, more: 7 }] }] }
    expect(brief(listFindings(validator, wrong, { unknown: true }))).toEqual([
      'body/nodes/0/nodes/0/name type',
      'body/nodes/0/nodes/0/more unknown',
    ])
  })

  it('is validated to 64 levels', () => {
    let body: object = {}
    for (let i = 0; i < 100_000; i++) body = { nodes: [body] }
    expect(listFindings(validator, body)).toMatchObject([
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

  it.each<{ pet: unknown; found: string[] }>([
    { pet: { kind: 'dog', tricks: 'many', name: 7 }, found: ['/tricks type', '/name type'] },
    { pet: { kind: 'cow', lives: 'x' }, found: ['/kind discriminator'] },
    { pet: { lives: 'x' }, found: ['/kind required'] },
    { pet: 'dog', found: [' oneOf'] },
    { pet: { kind: 'cat', lives: 9, tricks: 'many' }, found: [] },
  ])('selects the branch whose findings are reported: $pet', ({ pet, found }) => {
    const right = { kind: 'cat', lives: 9 }
    const expected = found.map((finding) => `body/pets/1${finding}`)
    expect(brief(bodyFindings(pets, { pets: [right, pet, right] }, { schemas }))).toEqual(expected)
  })
})

describe('a choice by type', () => {
  const anyOf = [
    { type: 'string', minLength: 2 },
    { type: 'array', items: { type: 'integer' } },
    { type: 'null' },
  ]
  it.each<{ body: unknown; found: string[] }>([
    { body: 'a', found: ['body minLength'] },
    { body: [1, 'b'], found: ['body/1 type'] },
    { body: null, found: [] },
    { body: true, found: ['body anyOf'] },
  ])('reports the findings of the branch of the type: $body', ({ body, found }) => {
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
  const cases: readonly RequiredCase[] = [
    {
      title: 'is an assumption if the whole property is one',
      property: a,
      more: {},
      question: 'whole',
    },
    {
      title: 'is an assumption if its presence is marked',
      property: there,
      more: {},
      question: 'there',
    },
    {
      title: 'is an assumption if its target is one',
      property: { $ref: '#/components/schemas/A' },
      more: {},
      question: 'whole',
    },
    {
      title: 'is a fact if another keyword is marked',
      property: { 'x-open-question': { type: 'text' } },
      more: {},
      question: undefined,
    },
    {
      title: 'belongs to an assumed object',
      property: a,
      more: { 'x-open-question': 'object' },
      question: 'object',
    },
    {
      title: 'has its presence before the object',
      property: there,
      more: { 'x-open-question': 'object' },
      question: 'there',
    },
  ]

  for (const { title, property, more, question } of cases) {
    it(title, () => {
      const schema = object({ it: property }, { required: ['it'], ...more })
      const found = bodyFindings(schema, {}, { schemas: { A: a } })
      expect(found.map((finding) => finding.question)).toEqual([question])
    })
  }
})

describe('keywords', () => {
  const cases: readonly KeywordCase[] = [
    {
      title: 'false refuses a property',
      schema: object({ a: false }),
      body: { a: 1 },
      expected: ['body/a false'],
      place: 'properties/a',
    },
    {
      title: 'false in allOf refuses every value',
      schema: { allOf: [false] },
      body: 1,
      expected: ['body false'],
      place: 'allOf/0',
    },
    {
      title: 'false as items refuses every item',
      schema: { items: false },
      body: [1],
      expected: ['body/0 false'],
      place: 'items',
    },
    {
      title: 'additionalProperties refuses another property',
      schema: object({}, { additionalProperties: false }),
      body: { a: 1 },
      expected: ['body/a additionalProperties'],
      place: 'additionalProperties',
    },
    {
      title: 'additionalProperties may be a schema of another property',
      schema: { additionalProperties: { type: 'string' } },
      body: { a: 1 },
      expected: ['body/a type'],
      place: 'additionalProperties/type',
    },
    {
      title: 'a wrong type is the only finding, whatever the enum',
      schema: { type: 'string', enum: ['a'] },
      body: 1,
      expected: ['body type'],
      place: 'type',
    },
    {
      title: 'a pattern may have an escape that its Unicode mode refuses',
      schema: { pattern: '^\\-$' },
      body: '+',
      expected: ['body pattern'],
      place: 'pattern',
    },
    {
      title: 'a name that objects inherit is no property',
      schema: object({}, { required: ['toString'] }),
      body: {},
      expected: ['body/toString required'],
      place: 'required',
    },
    {
      title: 'slashes and tildes of a key are escaped in the pointer',
      schema: object({ 'a/b~': { type: 'string' } }),
      body: { 'a/b~': 1 },
      expected: ['body/a~1b~0 type'],
      place: 'properties/a~1b~0/type',
    },
    {
      title: 'what two schemas find is reported once',
      schema: { allOf: [{ type: 'object' }, { type: 'object' }] },
      body: 1,
      expected: ['body type'],
      place: 'allOf/0/type',
    },
  ]

  for (const { title, schema, body, expected, place } of cases) {
    it(title, () => {
      const found = bodyFindings(schema, body)
      expect(brief(found)).toEqual(expected)
      expect(found[0]?.contract).toBe(`${BASE}/${place}`)
    })
  }
})

it('selects the schema by the media type, whatever its case and parameters', () => {
  const content = {
    'application/json': { schema: { type: 'integer' } },
    'application/problem+json; charset=utf-8': { schema: { type: 'string' } },
  }
  const validator = createValidator(documentWith({ requestBody: { content } }))
  const send = (type: string, body: unknown) => {
    const headers = { 'content-type': type }
    return brief(validator.validateRequest({ method: 'POST', path: '/it', headers, body }))
  }
  expect(send('Application/JSON; charset=utf-8', 'a')).toEqual(['body type'])
  expect(send('application/problem+json', 1)).toEqual(['body type'])
  expect(send('application/vnd.x+json', 1)).toEqual(['media-type content'])
  expect(brief(listFindings(validator, undefined)), 'an optional body').toEqual([])
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

  it.each<{ status: number; body: unknown; expected: string[]; index?: number }>([
    { status: 200, body: 1, expected: [] },
    { status: 200, body: 'a', expected: ['body type'] },
    { status: 201, body: 'a', expected: [] },
    { status: 201, body: 1, expected: ['body type'] },
    { status: 500, body: true, expected: [] },
    { status: 500, body: 1, expected: ['body type'] },
    { status: 404, body: { an: 'undeclared body' }, expected: [] },
    // The operation HEAD, whose response has no body.
    {
      status: 200,
      body: undefined,
      expected: [],
      index: 1,
    },
  ])(
    'is validated by status, else by range, else by default: $status $body',
    ({ status, body, expected, index = 0 }) => {
      const operation = validator.operations[index]
      if (!operation) throw new Error(`no operation ${index}`)
      const response = { status, headers: JSON_HEADERS, body }
      expect(brief(validator.validateResponse(operation, response))).toEqual(expected)
    },
  )
})

describe('a document that is not implemented, or invalid', () => {
  const deep = (schema: unknown) => createDocument({ properties: { deep: schema } })
  const at = (keyword: string) => `${BASE}/properties/deep${keyword}`
  const documentOfParameter = (parameter: unknown) => documentWith({ parameters: [parameter] })
  const valid = { name: 'p', in: 'query', schema: {} }
  const place = '/paths/~1it/post/parameters/0'
  const unknownKeywords = [
    '$id',
    '$defs',
    'not',
    'if',
    'prefixItems',
    'multipleOf',
    'uniqueItems',
    'nullable',
    'minLenght',
  ]
  const loop = { allOf: [{ $ref: '#/components/schemas/Loop' }] }
  const tagged = (value: unknown, required: string[] = ['k']) =>
    object({ k: { const: value } }, { required })
  const discriminator = { propertyName: 'k' }
  const apart = 'is not implemented: use branches of different types'
  const form = { content: { 'multipart/form-data': {} } }

  const documents: readonly InvalidDocument[] = [
    ...unknownKeywords.map((keyword) => ({
      what: keyword,
      document: deep({ [keyword]: 1 }),
      pointer: at(`/${keyword}`),
      message: 'is not implemented: remove it, or use another keyword',
    })),
    {
      what: 'a format',
      document: deep({ format: 'email' }),
      pointer: at('/format'),
      message: 'must be one of date, date-time, uuid, uri',
    },
    {
      what: 'a keyword of OpenAPI 3.0',
      document: deep({ exclusiveMinimum: true }),
      pointer: at('/exclusiveMinimum'),
      message: 'a number, got true',
    },
    {
      what: 'an unknown type',
      document: deep({ type: 'strin' }),
      pointer: at('/type'),
      message: 'must be one or more of null',
    },
    {
      what: 'a number as a string',
      document: deep({ minimum: '1' }),
      pointer: at('/minimum'),
      message: 'must be a number, got "1"',
    },
    {
      what: 'a negative length',
      document: deep({ maxLength: -1 }),
      pointer: at('/maxLength'),
      message: 'must be a non-negative integer, got -1',
    },
    {
      what: 'a name as list',
      document: deep({ required: 'a' }),
      pointer: at('/required'),
      message: 'must be an array of strings, got "a"',
    },
    {
      what: 'no values',
      document: deep({ enum: [] }),
      pointer: at('/enum'),
      message: 'must be an array of one value or more, got []',
    },
    {
      what: 'a list of items',
      document: deep({ items: [{}] }),
      pointer: at('/items'),
      message: 'must be a schema, got [{}]',
    },
    {
      what: 'an invalid pattern',
      document: deep({ pattern: '(' }),
      pointer: at('/pattern'),
      message: 'must be a regular expression, got "("',
    },
    {
      what: 'an unused component',
      document: createDocument({}, { schemas: { A: { type: 1 } } }),
      pointer: '/components/schemas/A/type',
      message: 'must be',
    },
    {
      what: 'a missing target',
      document: deep({ $ref: '#/components/schemas/No' }),
      pointer: at('/$ref'),
      message: 'must refer to a location',
    },
    {
      what: 'another document',
      document: deep({ $ref: 'a.json#/A' }),
      pointer: at('/$ref'),
      message: 'must refer to #/components/schemas, got "a.json',
    },
    {
      what: 'a schema that refers to itself',
      document: createDocument({ $ref: '#/components/schemas/Loop' }, { schemas: { Loop: loop } }),
      pointer: '/components/schemas/Loop',
      message: 'must not refer to itself',
    },
    {
      what: 'a body that refers to itself',
      document: documentWith(
        { requestBody: { $ref: '#/components/requestBodies/Loop' } },
        { components: { requestBodies: { Loop: { $ref: '#/components/requestBodies/Loop' } } } },
      ),
      pointer: '/paths/~1it/post/requestBody/$ref',
      message: 'must not be circular',
    },
    {
      what: 'no choice',
      document: deep({ oneOf: [] }),
      pointer: at('/oneOf'),
      message: 'must be an array of one schema or more, got []',
    },
    {
      what: 'integers and numbers',
      document: deep({ oneOf: [{ type: 'integer' }, { type: 'number' }] }),
      pointer: at('/oneOf'),
      message: apart,
    },
    {
      what: 'two objects',
      document: deep({ anyOf: [tagged('a'), tagged('b')] }),
      pointer: at('/anyOf'),
      message: apart,
    },
    {
      what: 'any types',
      document: deep({ oneOf: [{ minimum: 1 }, { maxLength: 9 }] }),
      pointer: at('/oneOf'),
      message: apart,
    },
    {
      what: 'one constant',
      document: deep({ oneOf: [tagged('a'), tagged('a')], discriminator }),
      pointer: at('/oneOf'),
      message: apart,
    },
    {
      what: 'an optional constant',
      document: deep({ oneOf: [tagged('a'), tagged('b', [])], discriminator }),
      pointer: at('/oneOf'),
      message: apart,
    },
    {
      what: 'a style',
      document: documentOfParameter({ ...valid, style: 'deepObject' }),
      pointer: `${place}/style`,
      message: 'is not implemented: leave it out',
    },
    {
      what: 'a cookie',
      document: documentOfParameter({ ...valid, in: 'cookie' }),
      pointer: `${place}/in`,
      message: 'must be path, query or header',
    },
    {
      what: 'a list',
      document: documentOfParameter({ ...valid, schema: { type: 'array' } }),
      pointer: `${place}/schema/type`,
      message: 'use a single value',
    },
    {
      what: 'no name',
      document: documentOfParameter({ ...valid, name: undefined }),
      pointer: place,
      message: 'must have "name"',
    },
    {
      what: 'null',
      document: documentOfParameter(null),
      pointer: place,
      message: 'must be a parameter, got null',
    },
    {
      what: 'a form',
      document: documentWith({ requestBody: form }),
      pointer: '/paths/~1it/post/requestBody/content',
      message: 'use a JSON media type',
    },
    {
      what: 'a part of a segment',
      document: { openapi: '3.1.0', paths: { '/{a}.json': {} } },
      pointer: '/paths',
      message: 'whole segments',
    },
    {
      what: 'OpenAPI 3.0',
      document: { openapi: '3.0.3', paths: {} },
      pointer: '/openapi',
      message: 'must be 3.1, got "3.0.3"',
    },
    {
      what: 'a version that is a number',
      document: { openapi: 2, paths: {} },
      pointer: '/openapi',
      message: 'must be 3.1, got 2',
    },
    {
      what: 'no version',
      document: { paths: {} },
      pointer: '',
      message: 'must have "openapi"',
    },
  ]

  for (const { what, document, pointer, message } of documents) {
    it(`is refused at its location: ${what}`, () => {
      const create = () => createValidator(document)
      expect(create).toThrow(expect.objectContaining({ name: 'ContractError', pointer }))
      expect(create).toThrow(message)
    })
  }

  it('is neither the contract nor its short paths', () => {
    for (const document of [contract, guide]) {
      const declared = readContract({ document, behaviour: {} }).operations
      const { operations } = createValidator({ ...document })
      expect(operations.map(({ id }) => id)).toEqual(declared.map(({ id }) => id))
    }
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
    expect(brief(listFindings(validator, 1))).toEqual(['body type'])
    const [operation] = validator.operations
    if (!operation) throw new Error('no operation')
    const [wrongStatus] = validator.validateResponse(operation, { status: 500 })
    expect(wrongStatus?.message).toBe('expected 200, got 500')
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
  expect(listFindings(createValidator(createDocument(schema)), body)).toHaveLength(100)
  const responses = { 200: { content: { 'application/json': { schema } } } }
  const document = { ...createDocument(schema), webhooks: { it: { post: { responses } } } }
  const validator = createValidator(document, { maxFindings: 3 })
  expect(listFindings(validator, body)).toHaveLength(3)
  const [delivery] = validator.deliveries
  const message = { status: 200, headers: JSON_HEADERS, body }
  if (!delivery) throw new Error('no delivery')
  expect(validator.validateResponse(delivery, message)).toHaveLength(3)
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
