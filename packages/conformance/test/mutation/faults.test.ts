import { expect, it } from 'vitest'
import { readContract } from '../../src/model/contract.ts'
import { mechanicalFaults } from '../../src/mutation/faults.ts'
import { rules } from '../../src/rules.ts'

const text = { type: 'string' }

/** A contract with one operation. */
function contractOf(response: object, request: object = text) {
  const media = (schema: object) => ({ content: { 'application/json': { schema } } })
  const headers = { 'x-id': { required: true, schema: { type: 'string', minLength: 1 } } }
  const responses = {
    200: { description: 'Done.', headers, ...media(response) },
    204: { description: 'Nothing.' },
  }
  const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } }]
  const post = {
    operationId: 'ask',
    parameters,
    requestBody: { required: true, ...media(request) },
    responses,
  }
  return readContract({ openapi: '3.1.0', info: { title: 'One', version: '1' }, paths: { '/ask': { post } } })
}

function idsOf(response: object, request?: object): string[] {
  return mechanicalFaults(contractOf(response, request)).map(({ id }) => id)
}

const message = { status: 200, headers: { 'content-type': 'application/json', 'x-id': 'a' }, ms: 0 }

/** Applies a fault to a body. */
function changed(response: object, body: unknown, id: string): unknown {
  const fault = mechanicalFaults(contractOf(response)).find((it) => it.id === `response:ask:200:${id}`)
  if (!fault || !('change' in fault.plant)) throw new Error(`no fault ${id}`)
  const made = fault.plant.change({ ...message, text: JSON.stringify(body) })
  return made && JSON.parse(made.text)
}

it('gives every fault its own id, a rule and an operation', () => {
  const faults = mechanicalFaults(contractOf({ type: 'object', required: ['a'], properties: { a: text } }))
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length)
  expect(
    faults.every(({ rules, operation, contract }) => rules.length > 0 && operation === 'ask' && contract),
  ).toBe(true)
})

it('names only rules that exist', () => {
  const known = new Set(rules.map(({ id }) => id))
  const named = mechanicalFaults(contractOf({ type: 'object', properties: { a: text } })).flatMap(
    (it) => it.rules,
  )
  expect([...new Set(named)].filter((id) => !known.has(id))).toEqual([])
})

it('changes status and headers', () => {
  expect(idsOf(text)).toEqual(
    expect.arrayContaining([
      'response:ask:200:status=201',
      'response:ask:200:header x-id dropped',
      'response:ask:200:header x-id minLength',
      'response:ask:200:content-type=text/html',
      'response:ask:200:body truncated',
      'response:ask:200:nested',
      'response:ask:204:body added',
    ]),
  )
})

const object = {
  type: 'object',
  required: ['a'],
  properties: { a: { type: ['string', 'null'], enum: ['x', null] } },
}

it.each([
  ['/a dropped', { a: 'x', b: 1 }, { b: 1 }],
  ['/a retyped', { a: 'x' }, { a: 7 }],
  ['/a enum broken', { a: 'x' }, { a: 'UNDECLARED' }],
  ['/ with an undeclared property', { a: 'x' }, { a: 'x', undeclared_property: 'x' }],
  ['nested', { a: 'x' }, { result: { a: 'x' } }],
  ['/a dropped', { b: 1 }, undefined],
])('%s: %o becomes %o', (id, body, other) => {
  expect(changed(object, body, id)).toEqual(other)
})

it('does not generate what the contract allows', () => {
  const ids = idsOf({ type: 'object', properties: { a: { type: ['string', 'null'] } } })
  expect(ids).not.toContain('response:ask:200:/a dropped')
  expect(ids).not.toContain('response:ask:200:/a null')
})

it('breaks each item of an array, and the array', () => {
  const list = { type: 'array', items: { type: 'string', pattern: '^a$' } }
  expect(changed(list, ['a', 'a'], '/* pattern broken')).toEqual(['~', '~'])
  expect(changed(list, ['a'], '/ retyped')).toBe(7)
})

it('uses a value that no branch allows', () => {
  const choice = { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }, { type: 'integer' }] }
  const wrapped = { type: 'object', properties: { a: choice } }
  const schema = '/paths/~1ask/post/responses/200/content/application~1json/schema/properties/a/anyOf/0'
  expect(changed(wrapped, { a: 3 }, '/a retyped')).toEqual({ a: true })
  expect(changed(wrapped, { a: null }, `/a format broken (${schema})`)).toEqual({ a: '<< ^ >>' })
})

it('generates a fault for each keyword of a request and its query', () => {
  const request = { type: 'object', required: ['a'], properties: { a: { type: 'string', maxLength: 5 } } }
  const plants = mechanicalFaults(contractOf(text, request))
    .filter(({ kind }) => kind === 'request')
    .map(({ plant }) =>
      'keyword' in plant ? `${plant.place} ${plant.path} ${plant.keyword.split('/').at(-1)}` : '',
    )
  expect(plants.sort()).toEqual([
    'body  required',
    'body  type',
    'body /a maxLength',
    'body /a required',
    'body /a type',
    'media-type  content',
    'query /limit maximum',
    'query /limit type',
  ])
})
