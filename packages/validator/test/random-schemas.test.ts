import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { SCALE } from '@partner-payments/campaign'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ContractError, createValidator } from '../src/index.ts'
import { documentOf, findingsOf } from './contract.ts'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

const leaf = fc.constantFrom<unknown[]>(
  ...[{ type: 'string' }, { type: 'integer' }, {}, { minimum: 2 }, { const: 1 }, { enum: ['a', 2] }],
  ...[{ multipleOf: 2 }, { required: ['k'] }, { minItems: 2 }, false, true],
)
const FOLLOWS = 'then'

/** Schemas with many nested and adjacent applicators. */
const schema = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema')
  const some = (maxLength: number) => fc.array(inner, { minLength: 1, maxLength })
  const rest = fc.oneof(fc.constant(false), leaf)
  const choices = {
    allOf: some(2),
    anyOf: some(3),
    oneOf: some(2),
    not: inner,
    if: inner,
    [FOLLOWS]: inner,
    else: inner,
  }
  const objects = {
    properties: fc.record({ k: inner, m: inner }, { requiredKeys: [] }),
    patternProperties: fc.record({ '^[kz]': inner }),
    additionalProperties: inner,
    propertyNames: fc.constantFrom({ maxLength: 1 }, { pattern: '^[km]' }),
    dependentSchemas: fc.record({ k: inner }),
    unevaluatedProperties: rest,
  }
  const counts = { minContains: fc.nat(2), maxContains: fc.nat(2) }
  const lists = { prefixItems: some(2), items: inner, contains: inner, unevaluatedItems: rest, ...counts }
  const references = { $ref: fc.constantFrom('#/$defs/a', '#/$defs/b'), $dynamicRef: fc.constant('#d') }
  const all = fc.record({ ...choices, ...objects, ...lists, ...references }, { requiredKeys: [] })
  return { schema: fc.oneof({ maxDepth: 2, depthSize: 'small' }, leaf, all) }
}).schema

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown[]>('', 'a', 1, 2, 3.5, null, true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.record({ k: tie('value'), m: tie('value'), z: tie('value') }, { requiredKeys: [] }),
  ),
})).value

/** A schema with referenced schemas, one with its own identifier and dynamic anchor. */
function rootOf($id: string, own: unknown, a: unknown, b: unknown): object {
  const d = { $dynamicAnchor: 'd', type: 'object', properties: { m: { $dynamicRef: '#d' } } }
  const other = { $id: `${$id}/b`, properties: { k: b }, $defs: { a: b, b: {}, d } }
  const outer = {
    $dynamicAnchor: 'd',
    type: ['object', 'string'],
    unevaluatedProperties: { $dynamicRef: '#d' },
  }
  return {
    ...(typeof own === 'object' ? own : { allOf: [own] }),
    $id,
    $schema: DRAFT,
    $defs: { a, b: other, d: outer },
  }
}

/** Whether a value is valid; undefined if a schema is circular. */
function judgeOf(root: object): ((body: unknown) => boolean) | undefined {
  try {
    const validator = createValidator(documentOf(root))
    validator.compile()
    return (body) => findingsOf(validator, body).length === 0
  } catch (error) {
    if (error instanceof ContractError && error.message.includes('refer to itself')) return undefined
    throw error
  }
}

it('validates nested applicators like @hyperjump/json-schema', async () => {
  const verdicts = { true: 0, false: 0 }
  let number = 0
  const bodies = fc.array(value, { minLength: 6, maxLength: 14 })
  const property = fc.asyncProperty(schema, schema, schema, bodies, async (own, a, b, tried) => {
    const uri = `https://example.com/random/${number++}`
    const root = rootOf(uri, own, a, b)
    const judge = judgeOf(root)
    if (!judge) return
    registerSchema(structuredClone(root) as never, uri, DRAFT)
    const other = await validate(uri)
    for (const body of tried) {
      verdicts[`${judge(body)}`]++
      expect({ body, valid: judge(body) }).toEqual({ body, valid: other(body as never).valid })
    }
  })
  // Shrinking schemas of this size takes minutes and adds little.
  await fc.assert(property, { numRuns: 20 * SCALE, endOnFailure: true })
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(0)
})
