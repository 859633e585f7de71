import { readFileSync } from 'node:fs'
import { createValidator, type Finding, type Validator } from '@partner-payments/validator'
import { createSchemas, type Schemas } from '../../../src/generate/schema/schemas.ts'

type Node = Readonly<Record<string, unknown>>

const file = new URL('../../../../../spec/dist/openapi.json', import.meta.url)
export const contract: Node = JSON.parse(readFileSync(file, 'utf8'))
export const schemas: Schemas = createSchemas(contract)

/** Pointers to the component schemas. */
export const components: readonly string[] = Object.keys((contract.components as Node).schemas as Node).map(
  (name) => `/components/schemas/${name}`,
)

/** Pointers to the schemas of bodies. */
export function bodySchemas(document: object, place: 'requestBody' | 'responses'): string[] {
  return pointersTo(document, '', 'schema').filter((pointer) =>
    new RegExp(`/${place}/(.*/)?content/[^/]*/schema$`).test(pointer),
  )
}

function pointersTo(node: unknown, pointer: string, wanted: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const next = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return key === wanted ? [next] : pointersTo(value, next, wanted)
  })
}

/** A document with the schema `/components/schemas/It`, and others that it may refer to. */
export function documentOf(schema: unknown, others: Node = {}): object {
  return { openapi: '3.1.0', components: { schemas: { It: schema, ...others } } }
}

export const IT = '/components/schemas/It'

/** The same document, whose values have to come from keywords. */
export function withoutExamples(document: object): object {
  const isExample = (name: string) => name === 'example' || name === 'examples'
  return JSON.parse(JSON.stringify(document, (name, value) => (isExample(name) ? undefined : value)))
}

/** Validates a body with an independent validator. */
export function judgeOf(document: object, pointer: string): (body: unknown) => readonly Finding[] {
  const judge = document === contract ? ofContract : validatorOf(document, [pointer])
  const headers = { 'content-type': 'application/json' }
  return (body) => judge.validateDelivery({ name: pointer, headers, body: JSON.parse(JSON.stringify(body)) })
}

/** A validator with a delivery for each schema. */
function validatorOf(document: object, pointers: readonly string[]): Validator {
  const deliveries = pointers.map((pointer) => {
    const schema = { $ref: `#${encodeURI(pointer)}` }
    return [pointer, { post: { requestBody: { content: { 'application/json': { schema } } } } }]
  })
  const { webhooks } = document as { webhooks?: object }
  return createValidator({ ...document, webhooks: { ...webhooks, ...Object.fromEntries(deliveries) } })
}

const ofContract = validatorOf(contract, [
  ...components,
  ...bodySchemas(contract, 'requestBody'),
  ...bodySchemas(contract, 'responses'),
])

/** Schemas that together contain every keyword that the validator implements. */
export const HAND_WRITTEN: Readonly<Record<string, unknown>> = {
  anything: true,
  text: { type: 'string', minLength: 3, maxLength: 5 },
  'pattern and lengths': { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', minLength: 4, maxLength: 9 },
  'pattern and format': { type: 'string', pattern: '^2026', format: 'date' },
  lookahead: { type: 'string', pattern: '^(?=.*[0-9])(?=.*[a-z])[0-9a-z]{4,8}$' },
  'pattern without anchors': { type: 'string', pattern: 'x[0-9]' },
  'whole number': { type: 'integer', minimum: 3, maximum: 9 },
  'open bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  list: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 3 },
  closed: {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] } },
    additionalProperties: false,
  },
  map: {
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    minProperties: 1,
    maxProperties: 3,
  },
  'one of': {
    oneOf: [
      {
        type: 'object',
        required: ['kind', 'a'],
        properties: { kind: { const: 'x' }, a: { type: 'string' } },
      },
      {
        type: 'object',
        required: ['kind', 'b'],
        properties: { kind: { const: 'y' }, b: { type: 'integer' } },
      },
    ],
    discriminator: { propertyName: 'kind' },
  },
  'any of': {
    anyOf: [
      { type: 'string', maxLength: 2 },
      { type: 'integer', minimum: 10 },
    ],
  },
  'all of': {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 2 } } },
      { type: 'object', required: ['b'], properties: { b: { type: 'boolean' }, a: { maxLength: 4 } } },
    ],
  },
  recursive: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      parts: { type: 'array', items: { $ref: '#/components/schemas/It' } },
    },
  },
  nullable: { type: ['object', 'null'], required: ['a'], properties: { a: { type: 'boolean' } } },
  'with default': { type: 'object', properties: { page: { type: 'integer', default: 1, minimum: 1 } } },
  ...Object.fromEntries(
    ['date', 'date-time', 'uuid', 'uri', 'uri-reference'].map((format) => [
      `format ${format}`,
      { type: 'string', format },
    ]),
  ),
}
