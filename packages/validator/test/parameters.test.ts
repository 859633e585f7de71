import { describe, expect, test } from 'vitest'
import { createValidator, type Finding } from '../src/index.ts'
import { brief } from './contract.ts'

type Message = { path?: string; query?: string; headers?: Record<string, string> }

/** The findings of a request with one parameter; a path parameter is in `/{p}`. */
function findingsOf(parameter: object, { path = '/x', ...message }: Message): Finding[] {
  const named = { name: 'p', ...parameter }
  const template = 'in' in named && named.in === 'path' ? '/{p}' : '/x'
  const paths = { [template]: { get: { parameters: [named], responses: {} } } }
  return createValidator({ openapi: '3.1.0', paths }).validateRequest({ method: 'GET', path, ...message })
}

const query = (schema: object, text: string, more: object = {}) =>
  findingsOf({ in: 'query', schema, ...more }, { query: text })

describe('a number', () => {
  test.each(['0', '-1', '1.5', '1e3', '1E-2', '-0.5', '10'])('%s is valid', (text) => {
    expect(query({ type: 'number' }, `p=${text}`)).toEqual([])
  })

  test.each([
    '',
    '%201',
    '1%20',
    '01',
    '+1',
    '.5',
    '1.',
    '0x10',
    'Infinity',
    'NaN',
    '1e999',
    '1_000',
    '١',
    'null',
    '1,5',
  ])('%s is invalid', (text) => {
    expect(query({ type: 'number' }, `p=${text.replace('+', '%2B')}`)).toMatchObject([
      { place: 'query', pointer: '/p', keyword: 'type', contract: '/paths/~1x/get/parameters/0/schema/type' },
    ])
  })

  test('an integer is determined by its value', () => {
    expect(query({ type: 'integer' }, 'p=1e3')).toEqual([])
    expect(brief(query({ type: 'integer' }, 'p=1.5'))).toEqual(['query/p type'])
    expect(brief(query({ type: 'integer', maximum: 10 }, 'p=11'))).toEqual(['query/p maximum'])
  })

  test('a string stays a string if the schema allows strings', () => {
    expect(query({ type: ['string', 'integer'], minLength: 2 }, 'p=10')).toEqual([])
    expect(query({ minLength: 2 }, 'p=10')).toEqual([])
    expect(brief(query({ minLength: 2 }, 'p=1'))).toEqual(['query/p minLength'])
  })

  const either = {
    oneOf: [
      { type: 'integer', maximum: 9 },
      { type: 'string', pattern: '^[a-z]' },
    ],
  }
  test.each([
    ['a type beside string', { type: ['string', 'integer'], minLength: 2 }, ['1', 'ab'], ['a']],
    ['a branch beside string', either, ['9', 'x'], ['10', 'X']],
    ['null beside string', { type: ['string', 'null'], minLength: 1 }, ['', 'a'], []],
    ['items', { type: 'array', items: either }, ['9&p=x', 'x&p=y'], ['10&p=x']],
  ])('may have either type with %s', (_, schema, right, wrong) => {
    for (const text of right) expect([text, query(schema, `p=${text}`)]).toEqual([text, []])
    for (const text of wrong) expect(query(schema, `p=${text}`)).not.toEqual([])
  })

  test('is not accepted for a string property in JSON', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } } }
    const content = { 'application/json': { schema } }
    expect(findingsOf({ in: 'query', content }, { query: 'p={"a":"1"}' })).not.toEqual([])
  })

  test('its type may come from referenced and combined schemas', () => {
    expect(query({ enum: [1, 2] }, 'p=2')).toEqual([])
    expect(brief(query({ enum: [1, 2] }, 'p=3'))).toEqual(['query/p enum'])
    expect(query({ allOf: [{ maximum: 3 }, { type: 'integer' }] }, 'p=2')).toEqual([])
    expect(query({ oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'p=true')).toEqual([])
  })
})

describe('true and false', () => {
  test.each(['true', 'false'])('%s', (text) => expect(query({ type: 'boolean' }, `p=${text}`)).toEqual([]))
  test.each(['', '1', 'TRUE', 'yes', '%20true'])('%s is neither', (text) => {
    expect(brief(query({ type: 'boolean' }, `p=${text}`))).toEqual(['query/p type'])
  })
})

describe('the query', () => {
  test('is decoded, with + for a space', () => {
    expect(query({ const: 'a b&c=d' }, '?p=a+b%26c%3Dd')).toEqual([])
    expect(query({ const: 'a=b' }, 'p=a=b')).toEqual([])
    expect(query({ const: 'é' }, '%70=%C3%A9')).toEqual([])
  })

  test('stays unchanged if it cannot be decoded', () => {
    expect(query({ const: '%zz' }, 'p=%zz')).toEqual([])
  })

  test('must not repeat a scalar', () => {
    expect(brief(query({ type: 'string' }, 'p=1&p=2'))).toEqual(['query/p type'])
  })

  test('may be absent if optional', () => {
    expect(query({ type: 'integer' }, '')).toEqual([])
    expect(query({ type: 'integer' }, '', { required: true })).toEqual([
      {
        place: 'query',
        pointer: '/p',
        contract: '/paths/~1x/get/parameters/0/required',
        keyword: 'required',
        message: 'expected a value, got nothing',
      },
    ])
  })

  test('may be empty with allowEmptyValue', () => {
    expect(query({ type: 'integer' }, 'p=', { allowEmptyValue: true })).toEqual([])
  })
})

const numbers = { type: 'array', items: { type: 'integer' }, minItems: 2 }
const point = {
  type: 'object',
  properties: { x: { type: 'integer' }, y: { type: 'integer' } },
  required: ['x', 'y'],
  additionalProperties: false,
}

describe.each([
  ['form, exploded', 'query', {}, numbers, 'p=1&p=2', 'p=1&p=b', '/p/1'],
  ['form', 'query', { explode: false }, numbers, 'p=1,2', 'p=1,b', '/p/1'],
  ['spaces', 'query', { style: 'spaceDelimited', explode: false }, numbers, 'p=1%202', 'p=1+b', '/p/1'],
  ['pipes', 'query', { style: 'pipeDelimited', explode: false }, numbers, 'p=1|2', 'p=1%7Cb', '/p/1'],
  ['an object, exploded', 'query', {}, point, 'x=1&y=2', 'x=1&y=b', '/p/y'],
  ['an object', 'query', { explode: false }, point, 'p=x,1,y,2', 'p=x,1,y,b', '/p/y'],
  ['deep', 'query', { style: 'deepObject' }, point, 'p[x]=1&p[y]=2', 'p%5Bx%5D=1&p[y]=b', '/p/y'],
  ['deep, a list', 'query', { style: 'deepObject' }, numbers, 'p[0]=1&p[1]=2', 'p[0]=1&p[1]=b', '/p/1'],
  [
    'deep, a list without numbers',
    'query',
    { style: 'deepObject' },
    numbers,
    'p[]=1&p[]=2',
    'p[]=1&p[]=b',
    '/p/1',
  ],
  [
    'deep, an object of lists',
    'query',
    { style: 'deepObject' },
    { type: 'object', properties: { a: { type: 'array', items: point } } },
    'p[a][0][x]=1&p[a][0][y]=2',
    'p[a][0][x]=1&p[a][0][y]=b',
    '/p/a/0/y',
  ],
  ['a list in a path', 'path', {}, numbers, '/1,2', '/1,b', '/p/1'],
  ['an object in a path', 'path', {}, point, '/x,1,y,2', '/x,1,y,b', '/p/y'],
  ['an object in a path, exploded', 'path', { explode: true }, point, '/x=1,y=2', '/x=1,y=b', '/p/y'],
  ['a list in a header', 'header', {}, numbers, '1, 2', '1,b', '/p/1'],
  ['a cookie', 'cookie', {}, { type: 'integer' }, 'o=1; p=2', 'o=1; p=b', '/p'],
] as const)('%s', (_, place, style, schema, right, wrong, pointer) => {
  const messageOf = (text: string): Message =>
    place === 'path'
      ? { path: text }
      : place === 'query'
        ? { query: text }
        : { headers: { [place === 'cookie' ? 'Cookie' : 'P']: text } }
  const parameter = { in: place, required: true, schema, ...style }

  test('is read', () => expect(findingsOf(parameter, messageOf(right))).toEqual([]))

  test('is checked', () => {
    expect(brief(findingsOf(parameter, messageOf(wrong)))).toEqual([`${place}${pointer} type`])
  })
})

test('an encoded separator is part of the value', () => {
  const pair = { type: 'array', items: { enum: ['a,b', 'c'] } }
  expect(query(pair, 'p=a%2Cb,c', { explode: false })).toEqual([])
})

describe('a parameter with a media type', () => {
  const content = { 'application/json': { schema: point } }

  test('is parsed as JSON', () => {
    expect(
      findingsOf({ in: 'query', content }, { query: `p=${encodeURIComponent('{"x":1,"y":2}')}` }),
    ).toEqual([])
    expect(brief(findingsOf({ in: 'header', content }, { headers: { p: '{"x":1,"y":"2"}' } }))).toEqual([
      'header/p/y type',
    ])
  })

  test('that is not JSON is a string', () => {
    expect(brief(findingsOf({ in: 'query', content }, { query: 'p={' }))).toEqual(['query/p type'])
  })
})

test('accept, content-type and authorization are ignored', () => {
  const headers = ['Accept', 'Content-Type', 'Authorization'].map((name) =>
    findingsOf({ in: 'header', name, required: true, schema: { const: 'x' } }, {}),
  )
  expect(headers.flat()).toEqual([])
})

test('unsupported styles are not validated', () => {
  expect(
    findingsOf(
      { in: 'path', style: 'matrix', required: true, schema: { type: 'integer' } },
      { path: '/;p=x' },
    ),
  ).toEqual([])
})

test('a parameter of the operation overrides that of the path', () => {
  const parameter = (type: string) => ({ name: 'p', in: 'query', schema: { type } })
  const item = { parameters: [parameter('integer')], get: { parameters: [parameter('string')] }, put: {} }
  const validator = createValidator({ openapi: '3.1.0', paths: { '/x': item } })
  expect(validator.validateRequest({ method: 'GET', path: '/x', query: 'p=a' })).toEqual([])
  expect(validator.validateRequest({ method: 'PUT', path: '/x', query: 'p=a' })).toMatchObject([
    { contract: '/paths/~1x/parameters/0/schema/type' },
  ])
})

test.each([
  ['Headers', new Headers({ P: '1' })],
  ['a Map', new Map([['P', '1']])],
  ['pairs', [['P', '1']] as const],
  ['the object of a Node server', { p: ['1'], q: undefined }],
])('headers may be %s', (_, headers) => {
  const parameters = [{ name: 'p', in: 'header', required: true, schema: { type: 'integer' } }]
  const validator = createValidator({ openapi: '3.1.0', paths: { '/x': { get: { parameters } } } })
  expect(validator.validateRequest({ method: 'GET', path: '/x', headers })).toEqual([])
})
