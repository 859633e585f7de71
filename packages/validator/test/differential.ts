import '@hyperjump/json-schema/formats'
import {
  registerSchema as registerDraft,
  setShouldValidateFormat,
  validate as validateDraft,
} from '@hyperjump/json-schema/draft-2020-12'
import { registerSchema, validate } from '@hyperjump/json-schema/openapi-3-1'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createValidator } from '../src/index.ts'
import { isObjectOrArray, type ObjectOrArray } from '../src/json.ts'
import { bySchema, contract, createDocument, deep, listFindings, resolved } from './contract.ts'
import { mutationsOf } from './mutate.ts'

const URI = 'https://example.com/contract'
const { names, check } = bySchema()

export { names as schemaNames }

const components = contract.components as { examples: ObjectOrArray; schemas: ObjectOrArray }
const examples = Object.values(components.examples).map((example) => resolved(example).value)
const byText = new Map(examples.flatMap(deep).map((value) => [JSON.stringify(value), value]))
/** The values inside the examples, each once. */
const values = [...byText.values()]

setShouldValidateFormat(true)
registerSchema(
  structuredClone(contract) as never,
  URI,
  'https://spec.openapis.org/oas/3.1/schema-base',
)

/** How many valid and invalid values both validated. */
export interface Compared {
  readonly right: number
  readonly wrong: number
}

/** Compares the verdicts about one schema of the contract with those of another implementation. */
export async function compareSchema(name: string, numRuns: number): Promise<Compared> {
  const compared = { right: 0, wrong: 0 }
  const other = await validate(`${URI}#/components/schemas/${name}`)
  const agree = (value: unknown) => {
    // The other implementation accepts only past leap seconds; this one also future ones.
    if (JSON.stringify(value).includes(':60')) return
    const valid = check(name, value).length === 0
    compared[valid ? 'right' : 'wrong']++
    expect({ value, valid }).toEqual({ value, valid: other(value as never).valid })
  }
  for (const value of values) agree(value)

  const { examples: own = [] } = components.schemas[name] as { examples?: unknown[] }
  const valid = values.filter((value) => value !== undefined && check(name, value).length === 0)
  const seeds = [...own, ...valid]
  // Only of composite values; otherwise the same short strings would be mutated repeatedly.
  const composite = seeds.filter(isObjectOrArray)
  const mutations = mutationsOf(composite.length > 0 ? composite : seeds)
  fc.assert(fc.property(mutations, agree), { numRuns })
  return compared
}

/** Typical schemas, mostly choices by type or by discriminator. */
const schema = fc.letrec<{ schema: object; leaf: object }>((tie) => {
  const tagged = (k: object) =>
    fc.record({
      type: fc.constant('object'),
      required: fc.constantFrom(['k'], ['k', 'm']),
      properties: fc.record({ k: fc.constant(k), m: tie('schema') }),
    })
  const ofTypes = fc.tuple(
    fc.constantFrom<object>({ type: 'string' }, { type: ['string', 'null'], maxLength: 1 }),
    fc.constantFrom<object>({ type: 'integer' }, { type: 'number', minimum: 1 }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    tagged({ type: 'string' }),
  )
  const choice = ofTypes.chain((all) => fc.shuffledSubarray<object>(all, { minLength: 1 }))
  return {
    leaf: fc.constantFrom<object[]>(
      { type: 'string' },
      { type: 'number', minimum: 1 },
      { const: 1 },
      { enum: ['a', 2] },
      {},
      { minimum: 2 },
    ),
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      tie('leaf'),
      fc.record({ oneOf: choice }),
      fc.record({ anyOf: choice, minLength: fc.constant(1) }),
      fc.record({
        oneOf: fc.tuple(tagged({ const: 'a' }), tagged({ const: 'b' })),
        discriminator: fc.constant({ propertyName: 'k' }),
      }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ additionalProperties: tie('schema'), maxProperties: fc.nat(2) }),
    ),
  }
}).schema

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown[]>('', 'a', 'b', 'cc', 1, 2, 1.5, null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record(
      { k: fc.constantFrom('a', 'b', 'c', 'd', 1), m: tie('value'), z: tie('value') },
      { requiredKeys: [] },
    ),
  ),
})).value

/**
 * As {@link compareSchema}, about any schema: where a branch is selected, the verdict must be the
 * same.
 */
export async function compareAnySchema(numRuns: number): Promise<Compared> {
  let number = 0
  const verdicts = { right: 0, wrong: 0 }
  await fc.assert(
    fc.asyncProperty(
      schema,
      fc.array(value, { minLength: 5, maxLength: 15 }),
      async (schema, bodies) => {
        const uri = `https://example.com/schema/${number++}`
        registerDraft(
          structuredClone(schema) as never,
          uri,
          'https://json-schema.org/draft/2020-12/schema',
        )
        const other = await validateDraft(uri)
        const validator = createValidator(createDocument(schema))
        for (const body of bodies) {
          const valid = listFindings(validator, body).length === 0
          verdicts[valid ? 'right' : 'wrong']++
          expect({ body, valid }).toEqual({ body, valid: other(body as never).valid })
        }
      },
    ),
    { numRuns },
  )
  return verdicts
}
