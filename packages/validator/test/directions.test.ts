import { describe, expect, it } from 'vitest'
import { createValidator, type Finding } from '../src/index.ts'
import { brief, JSON_HEADERS } from './contract.ts'

const id = { type: 'string', readOnly: true }
const secret = { type: 'string', writeOnly: true }
const object = (properties: object, required: string[]) => ({ type: 'object', properties, required })

/** A document with one schema for a request, its response and a delivery. */
function validatorOf(schema: unknown, schemas: object = {}) {
  const content = { 'application/json': { schema } }
  const operation = { requestBody: { content }, responses: { 200: { description: '', content } } }
  const paths = { '/it': { post: operation } }
  return createValidator({
    openapi: '3.1.0',
    paths,
    webhooks: { it: { post: operation } },
    components: { schemas },
  })
}

function allOf(schema: unknown, body: unknown, schemas?: object) {
  const validator = validatorOf(schema, schemas)
  const [operation] = validator.operations
  const [delivery] = validator.deliveries
  const response = { status: 200, headers: JSON_HEADERS, body }
  const findings: Record<string, Finding[] | undefined> = {
    request: validator.validateRequest({ method: 'POST', path: '/it', headers: JSON_HEADERS, body }),
    response: operation && validator.validateResponse(operation, response),
    delivery: validator.validateDelivery({ name: 'it', headers: JSON_HEADERS, body }),
    reply: delivery && validator.validateResponse(delivery, response),
  }
  return Object.fromEntries(Object.entries(findings).map(([name, found]) => [name, brief(found ?? [])]))
}

const missing = (name: string) => [`body/${name} required`]
const readOnly = { request: [], response: missing('id'), delivery: missing('id'), reply: [] }
const writeOnly = { request: missing('secret'), response: [], delivery: [], reply: missing('secret') }

describe('a required property that is readOnly', () => {
  const Id = id
  const Identified = { properties: { id } }
  const schemas = { Id, Identified, Needs: { required: ['id'] } }
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const cases: [string, unknown][] = [
    ['beside "required"', object({ id }, ['id'])],
    ['by a reference', object({ id: ref('Id') }, ['id'])],
    ['beside a reference', object({ id: { ...ref('Needs'), readOnly: true } }, ['id'])],
    [
      'in "allOf" of the property',
      object({ id: { allOf: [{ type: 'string' }, { readOnly: true }] } }, ['id']),
    ],
    ['in "anyOf" of the property', object({ id: { anyOf: [ref('Id'), { type: 'null' }] } }, ['id'])],
    ['in "allOf" beside the schema that requires it', { allOf: [{ required: ['id'] }, Identified] }],
    ['around the schema that requires it', { properties: { id }, allOf: [ref('Needs')] }],
    ['in the target of a reference', { ...ref('Identified'), required: ['id'] }],
    ['in a branch of "anyOf"', { anyOf: [object({ id }, ['id']), { type: 'string' }] }],
    ['in a condition', { if: { type: 'string' }, else: object({ id }, ['id']) }],
    ['in dependentRequired', { properties: { id }, dependentRequired: { a: ['id'] } }],
  ]
  it.each(cases)('is required only from the service: %s', (_, schema) => {
    expect(allOf(schema, { a: 1 }, schemas)).toMatchObject({ request: [], reply: [] })
    const { response = [], delivery } = allOf(schema, { a: 1 }, schemas)
    expect(response).toEqual([expect.stringMatching(/required|dependentRequired|anyOf/i)])
    expect(delivery).toEqual(response)
  })

  it('may still be sent, but not with another type', () => {
    const schema = { ...object({ id }, ['id']), additionalProperties: false }
    expect(allOf(schema, { id: 'a' })).toEqual({ request: [], response: [], delivery: [], reply: [] })
    expect(allOf(schema, { id: 7 }).request).toEqual(['body/id type'])
  })

  it('does not make other properties optional', () => {
    const schema = object({ id, name: { type: 'string' } }, ['id', 'name'])
    expect(allOf(schema, {}).request).toEqual(missing('name'))
  })

  it('is required if only an equal name elsewhere is readOnly', () => {
    const schema = object({ inner: object({ id }, []), id: { type: 'string' } }, ['id'])
    expect(allOf(schema, { inner: {} }).request).toEqual(missing('id'))
    const branches = { oneOf: [object({ id }, ['id', 'a']), object({ id: { type: 'string' } }, ['id', 'b'])] }
    expect(allOf(branches, { b: 1 }).request).toEqual(['body oneOf'])
  })

  it('is found in a recursive schema', () => {
    const Tree = { ...object({ id, next: ref('Tree') }, ['id']) }
    expect(allOf(ref('Tree'), { next: {} }, { Tree }).request).toEqual([])
    expect(allOf(ref('Tree'), { next: {} }, { Tree }).response).toEqual([
      'body/next/id required',
      'body/id required',
    ])
  })

  it('can select a branch', () => {
    const branch = (kind: string, more: object) =>
      object({ kind: { const: kind, readOnly: true }, ...more }, ['kind', ...Object.keys(more)])
    const schema = {
      oneOf: [branch('a', { one: { type: 'string' } }), branch('b', { two: { type: 'string' } })],
    }
    expect(allOf(schema, { one: 'x' }).request).toEqual([])
    expect(allOf(schema, { one: 'x' }).response).toEqual(missing('kind'))
  })
})

describe('a required property that is writeOnly', () => {
  it('is required only from the client', () => {
    expect(allOf(object({ secret }, ['secret']), {})).toEqual(writeOnly)
    expect(allOf({ allOf: [{ properties: { secret } }, { required: ['secret'] }] }, {})).toEqual(writeOnly)
  })

  it('may occur beside a readOnly property', () => {
    expect(allOf(object({ id, secret }, ['id', 'secret']), { secret: 'a' })).toEqual(readOnly)
    expect(allOf(object({ id, secret }, ['id', 'secret']), { id: 'a' })).toEqual(writeOnly)
  })
})

it('requires readOnly and writeOnly properties without a direction', () => {
  const validator = validatorOf(object({ id, secret }, ['id', 'secret']))
  const pointer = '/paths/~1it/post/requestBody/content/application~1json/schema'
  expect(brief(validator.validateValue(pointer, {}))).toEqual(['body/id required', 'body/secret required'])
  expect(brief(validator.validateValue(pointer, {}, { direction: 'to-service' }))).toEqual(missing('secret'))
  expect(brief(validator.validateValue(pointer, {}, { direction: 'from-service' }))).toEqual(missing('id'))
})
