import { describe, expect, test } from 'vitest'
import { createValidator, type Finding } from '../src/index.ts'
import { brief } from './contract.ts'

type Message = { path?: string; query?: string; headers?: Record<string, string> }

/** The findings of a request with one parameter; a path parameter is in `/{p}`. */
function findingsOf(parameter: object, { path = '/x', ...message }: Message): Finding[] {
  const named = { name: 'p', ...parameter }
  const template = 'in' in named && named.in === 'path' ? '/{p}' : '/x'
  const paths = { [template]: { get: { parameters: [named], responses: {} } } }
  return createValidator({ openapi: '3.1.0', paths }).validateRequest({
    method: 'GET',
    path,
    ...message,
  })
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
      {
        place: 'query',
        pointer: '/p',
        keyword: 'type',
        contract: '/paths/~1x/get/parameters/0/schema/type',
      },
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

  test('its type may come from referenced and combined schemas', () => {
    expect(query({ allOf: [{ maximum: 3 }, { type: 'integer' }] }, 'p=2')).toEqual([])
  })
})

describe('true and false', () => {
  test.each(['true', 'false'])('%s is valid', (text) =>
    expect(query({ type: 'boolean' }, `p=${text}`)).toEqual([]),
  )
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
})

test('accept, content-type and authorization are ignored', () => {
  for (const name of ['Accept', 'Content-Type', 'Authorization'])
    expect(findingsOf({ in: 'header', name, required: true, schema: { const: 'x' } }, {})).toEqual(
      [],
    )
})

test('a parameter of the operation overrides that of the path', () => {
  const parameter = (type: string) => ({ name: 'p', in: 'query', schema: { type } })
  const item = {
    parameters: [parameter('integer')],
    get: { parameters: [parameter('string')] },
    put: {},
  }
  const validator = createValidator({ openapi: '3.1.0', paths: { '/x': item } })
  expect(validator.validateRequest({ method: 'GET', path: '/x', query: 'p=a' })).toEqual([])
  expect(validator.validateRequest({ method: 'PUT', path: '/x', query: 'p=a' })).toMatchObject([
    { contract: '/paths/~1x/parameters/0/schema/type' },
  ])
})

test.each([
  { title: 'headers may be Headers', headers: new Headers({ P: '1' }) },
  { title: 'headers may be a Map', headers: new Map([['P', '1']]) },
  { title: 'headers may be pairs', headers: [['P', '1']] as const },
  { title: 'headers may be the object of a Node server', headers: { p: ['1'], q: undefined } },
])('$title', ({ headers }) => {
  const parameters = [{ name: 'p', in: 'header', required: true, schema: { type: 'integer' } }]
  const validator = createValidator({ openapi: '3.1.0', paths: { '/x': { get: { parameters } } } })
  expect(validator.validateRequest({ method: 'GET', path: '/x', headers })).toEqual([])
})
