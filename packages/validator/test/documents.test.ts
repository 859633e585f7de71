import { describe, expect, test } from 'vitest'
import { ContractError, createValidator, type Finding } from '../src/index.ts'
import { brief, documentOf, findingsOf, JSON_HEADERS } from './contract.ts'

function bodyFindings(schema: unknown, body: unknown, components: object = {}): Finding[] {
  return findingsOf(createValidator(documentOf(schema, components)), body)
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

describe('a recursive schema', () => {
  const Tree = object({
    name: { type: 'string' },
    nodes: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  })
  const validator = createValidator(documentOf({ $ref: '#/components/schemas/Tree' }, { schemas: { Tree } }))

  test('validates as deep as the value', () => {
    expect(findingsOf(validator, { name: 'a', nodes: [{ nodes: [{ name: 'c' }] }] })).toEqual([])
    expect(brief(findingsOf(validator, { nodes: [{ nodes: [{ name: 7 }] }] }))).toEqual([
      'body/nodes/0/nodes/0/name type',
    ])
  })

  test('reports undeclared properties at any depth', () => {
    const found = findingsOf(validator, { nodes: [{ nodes: [{ more: 7 }] }] }, { unknown: true })
    expect(brief(found)).toEqual(['body/nodes/0/nodes/0/more unknown'])
  })

  test('validates at most 64 levels', () => {
    let body: object = {}
    for (let i = 0; i < 100_000; i++) body = { nodes: [body] }
    expect(findingsOf(validator, body)).toMatchObject([
      { keyword: 'depth', message: 'expected at most 64 levels, got more' },
    ])
  })
})

describe('a discriminator', () => {
  const Cat = object(
    { kind: { type: 'string' }, lives: { type: 'integer' } },
    { required: ['kind', 'lives'] },
  )
  const Dog = object(
    { kind: { type: 'string' }, tricks: { type: 'integer' } },
    { required: ['kind', 'tricks'] },
  )
  const refs = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const Pet = (mapping?: object) => ({ oneOf: refs, discriminator: { propertyName: 'kind', mapping } })

  test.each([
    ['names the component', undefined, 'Dog'],
    ['has a mapping to a reference', { dog: '#/components/schemas/Dog' }, 'dog'],
    ['has a mapping to a name', { dog: 'Dog' }, 'dog'],
  ])('%s: only the selected branch reports findings', (_, mapping, kind) => {
    const found = bodyFindings(Pet(mapping), { kind, tricks: 'many' }, { schemas: { Cat, Dog } })
    expect(brief(found)).toEqual(['body/tricks type'])
    expect(found[0]?.contract).toBe('/components/schemas/Dog/properties/tricks/type')
  })

  test('without a matching branch reports one finding', () => {
    const found = bodyFindings(Pet(), { kind: 'Cow' }, { schemas: { Cat, Dog } })
    expect(found).toMatchObject([
      { pointer: '', keyword: 'oneOf', message: 'expected exactly one of 2 schemas, got object' },
    ])
  })

  test('is not a constraint: a value that matches one branch is valid', () => {
    expect(bodyFindings(Pet(), { kind: 'Cow', lives: 9 }, { schemas: { Cat, Dog } })).toEqual([])
  })

  test('inside an array with another error', () => {
    const schema = object({ pets: { type: 'array', items: Pet() }, owner: { type: 'string' } })
    const body = { owner: 7, pets: [{ kind: 'Cat', lives: 9 }, { kind: 'Cat', lives: 'x' }, { kind: 'Dog' }] }
    expect(brief(bodyFindings(schema, body, { schemas: { Cat, Dog } }))).toEqual([
      'body/owner type',
      'body/pets/1/lives type',
      'body/pets/2/tricks required',
    ])
  })
})

describe('a choice', () => {
  test('by type reports the findings of the branch of that type', () => {
    const schema = {
      anyOf: [
        { type: 'string', minLength: 2 },
        { type: 'array', items: { type: 'integer' } },
        { type: 'null' },
      ],
    }
    expect(brief(bodyFindings(schema, 'a'))).toEqual(['body minLength'])
    expect(brief(bodyFindings(schema, [1, 'b']))).toEqual(['body/1 type'])
    expect(bodyFindings(schema, null)).toEqual([])
    expect(bodyFindings(schema, true)).toMatchObject([
      {
        contract: '/paths/~1it/post/requestBody/content/application~1json/schema/anyOf',
        message: 'expected string, array or null, got boolean',
      },
    ])
  })

  test('by a constant that every branch requires needs no discriminator', () => {
    const branch = (value: number, more: object) =>
      object({ v: { const: value }, ...more }, { required: ['v'] })
    const schema = {
      oneOf: [branch(1, { a: { type: 'string' } }), branch(2, { a: { type: 'integer' } }), { type: 'null' }],
    }
    expect(brief(bodyFindings(schema, { v: 2, a: 'x' }))).toEqual(['body/a type'])
    expect(brief(bodyFindings(schema, { v: 3 }))).toEqual(['body/v oneOf'])
    expect(brief(bodyFindings(schema, {}))).toEqual(['body/v required'])
  })

  test('without distinguishable branches reports one finding', () => {
    const schema = {
      anyOf: [
        object({ a: { type: 'string' } }, { required: ['a'] }),
        object({ b: { type: 'string' } }, { required: ['b'] }),
      ],
    }
    expect(bodyFindings(schema, { a: 1 })).toMatchObject([
      { keyword: 'anyOf', message: 'expected one of 2 schemas, got object' },
    ])
  })

  test('oneOf fails if two branches match', () => {
    expect(brief(bodyFindings({ oneOf: [{ minimum: 1 }, { maximum: 9 }] }, 5))).toEqual(['body oneOf'])
  })

  test('keeps other findings', () => {
    const schema = { ...object({ c: { type: 'string' } }), oneOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(brief(bodyFindings(schema, { c: 1 }))).toEqual(['body oneOf', 'body/c type'])
  })
})

describe('branches that only seem distinguishable', () => {
  const tagged = (value: string, more: object = {}) => ({
    properties: { k: { const: value } },
    required: ['k'],
    ...more,
  })
  const cases: [string, object[], unknown, string[]][] = [
    ['an integer is a number', [{ type: 'integer' }, { type: 'number' }], 1, ['body oneOf']],
    ['a type is in both', [{ type: 'string' }, { type: ['string', 'null'] }], 'a', ['body oneOf']],
    [
      'an array has no properties to require',
      [tagged('a', { type: 'array' }), tagged('b', { type: 'array' })],
      [],
      ['body oneOf'],
    ],
    ['without a type any string matches', [tagged('a'), tagged('b')], 'x', ['body oneOf']],
    [
      'a property is optional',
      [tagged('a', { type: 'object' }), tagged('b', { type: 'object', required: [] })],
      {},
      [],
    ],
    [
      'a value is in both',
      [tagged('a', { type: 'object' }), tagged('a', { type: 'object' })],
      { k: 'a' },
      ['body oneOf'],
    ],
  ]
  test.each(cases)('%s', (_, oneOf, body, found) =>
    expect(brief(bodyFindings({ oneOf }, body))).toEqual(found),
  )
})

describe('a required property', () => {
  const a = { type: 'string', 'x-open-question': 'whole' }
  const cases: [string, object, string | undefined][] = [
    ['is an assumption if the whole property is one', a, 'whole'],
    ['is an assumption if its presence is marked', { 'x-open-question': { presence: 'there' } }, 'there'],
    ['is an assumption if its target is one', { $ref: '#/components/schemas/A' }, 'whole'],
    [
      'is a fact if another keyword is marked',
      { type: 'string', 'x-open-question': { type: 'text' } },
      undefined,
    ],
  ]
  test.each(cases)('%s', (_, property, question) => {
    const schema = object({ it: property }, { required: ['it'] })
    expect(bodyFindings(schema, {}, { schemas: { A: a } }).map((it) => it.question)).toEqual([question])
  })

  const assumed: [string, object, string][] = [
    ['belongs to an assumed object, and not to the question about its own value', a, 'object'],
    [
      'has a mark of its presence before that of the object',
      { 'x-open-question': { presence: 'there' } },
      'there',
    ],
  ]
  test.each(assumed)('%s', (_, property, question) => {
    const schema = object({ it: property }, { required: ['it'], 'x-open-question': 'object' })
    expect(bodyFindings(schema, {}).map((it) => it.question)).toEqual([question])
  })
})

describe('keywords', () => {
  const cases: [string, unknown, unknown, string[]][] = [
    ['false', object({ a: false }), { a: 1 }, ['body/a false']],
    [
      'additionalProperties',
      object({}, { additionalProperties: false }),
      { a: 1 },
      ['body/a additionalProperties'],
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
      object({ constructor: { type: 'string' } }, { required: ['toString'] }),
      {},
      ['body/toString required'],
    ],
    [
      'a property of the name __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}'),
      JSON.parse('{"__proto__":1}'),
      ['body/__proto__ type'],
    ],
    ['keys with slashes', object({ 'a/b~': { type: 'string' } }), { 'a/b~': 1 }, ['body/a~1b~0 type']],
    ['two of one thing', { allOf: [{ type: 'object' }, { type: 'object' }] }, 1, ['body type']],
  ]
  test.each(cases)('%s', (_, schema, body, found) => expect(brief(bodyFindings(schema, body))).toEqual(found))
})

describe('a schema that is false', () => {
  const base = '/paths/~1it/post/requestBody/content/application~1json/schema'
  const cases: [string, object, unknown, string, string][] = [
    ['items', { items: false }, [1], '/0', 'items'],
    ['additionalProperties', { additionalProperties: false }, { a: 1 }, '/a', 'additionalProperties'],
    ['allOf', { allOf: [false] }, 1, '', 'allOf/0'],
  ]
  test.each(cases)('%s: reported at its location', (_, schema, body, pointer, place) => {
    const found = bodyFindings(schema, body)
    expect(found.map((it) => [it.pointer, it.contract])).toEqual([[pointer, `${base}/${place}`]])
  })
})

describe('media types', () => {
  const content = {
    'application/json': { schema: { type: 'integer' } },
    'application/problem+json; charset=utf-8': { schema: { type: 'string' } },
  }
  const validator = createValidator({
    openapi: '3.1.0',
    paths: { '/it': { post: { requestBody: { content } } } },
  })
  const send = (type: string, body: unknown) =>
    brief(validator.validateRequest({ method: 'POST', path: '/it', headers: { 'content-type': type }, body }))

  test('select the schema, whatever their case and parameters', () => {
    expect(send('Application/JSON; charset=utf-8', 'a')).toEqual(['body type'])
    expect(send('application/problem+json', 1)).toEqual(['body type'])
    expect(send('application/vnd.x+json', 1)).toEqual(['media-type content'])
  })

  test('an optional body may be absent', () => expect(brief(findingsOf(validator, undefined))).toEqual([]))
})

describe('responses', () => {
  const schema = (type: string) => ({
    description: '',
    content: { 'application/json': { schema: { type } } },
  })
  const responses = {
    200: schema('integer'),
    '2XX': schema('string'),
    default: schema('boolean'),
    404: { description: '' },
  }
  const paths = { '/it': { get: { responses }, head: { responses } } }
  const validator = createValidator({ openapi: '3.1.0', paths })
  const [get, head] = validator.operations
  const validateStatus = (status: number, body: unknown, operation = get) =>
    operation && brief(validator.validateResponse(operation, { status, headers: JSON_HEADERS, body }))

  test('are validated by status, else by range, else by default', () => {
    expect([
      validateStatus(200, 1),
      validateStatus(201, 'a'),
      validateStatus(500, true),
      validateStatus(404, undefined),
    ]).toEqual([[], [], [], []])
    expect([validateStatus(200, 'a'), validateStatus(201, 1), validateStatus(500, 1)]).toEqual([
      ['body type'],
      ['body type'],
      ['body type'],
    ])
  })

  test('an undeclared body has no finding', () => expect(validateStatus(404, { a: 1 })).toEqual([]))
  test('a response to HEAD has no body', () => expect(validateStatus(200, undefined, head)).toEqual([]))
})

describe('an invalid document', () => {
  const broken: [string, unknown, string][] = [
    ['an unresolvable reference', { $ref: '#/components/schemas/None' }, 'schema/$ref'],
    ['a reference to another document', { $ref: 'other.json#/a' }, 'schema/$ref'],
    ['a reference to a name', { $ref: '#name' }, 'schema/$ref'],
    ['an invalid pattern', { pattern: '(' }, 'schema/pattern'],
    ['a circular schema', { $ref: '#/components/schemas/Loop' }, '/components/schemas/Loop'],
    ['a string as a schema', 'string', '/schema'],
  ]
  test.each(broken)('%s is refused by createValidator', (_, schema, place) => {
    const Loop = { allOf: [{ $ref: '#/components/schemas/Loop' }] }
    const make = () => createValidator(documentOf(schema, { schemas: { Loop } }))
    expect(make).toThrow(ContractError)
    expect(make).toThrow(place)
  })

  test.each(['3.0.3', '2.0', undefined])('version %s is refused', (openapi) => {
    expect(() => createValidator({ openapi, paths: {} })).toThrow('"/openapi" must be 3.1')
  })

  test('a path item that refers to itself is refused', () => {
    const paths = { '/it': { $ref: '#/paths/~1it' } }
    expect(() => createValidator({ openapi: '3.1.0', paths })).toThrow('must not be circular')
  })
})

test('maxFindings limits the findings', () => {
  const schema = { type: 'array', items: object({}, { required: ['a', 'b'] }) }
  const body = Array.from({ length: 20_000 }, () => ({}))
  expect(findingsOf(createValidator(documentOf(schema)), body)).toHaveLength(100)
  expect(findingsOf(createValidator(documentOf(schema), { maxFindings: 3 }), body)).toHaveLength(3)
  const responses = { 200: { content: { 'application/json': { schema } } } }
  const document = {
    openapi: '3.1.0',
    paths: { '/it': { get: { responses } } },
    webhooks: { it: { post: { responses } } },
  }
  const validator = createValidator(document, { maxFindings: 3 })
  const counts = [...validator.operations, ...validator.deliveries].map(
    (operation) => validator.validateResponse(operation, { status: 200, headers: JSON_HEADERS, body }).length,
  )
  expect(counts).toEqual([3, 3])
})

test('the path item may be a component', () => {
  const items = { It: { get: { operationId: 'it' } } }
  const document = {
    openapi: '3.1.0',
    paths: { '/it': { $ref: '#/components/pathItems/It' } },
    components: { pathItems: items },
  }
  expect(createValidator(document).findOperation('GET', '/it')).toMatchObject({ operation: { id: 'it' } })
})
