import { SCALE } from '@partner-payments/campaign'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSchemas, type Schemas } from '../../../src/generate/schema/schemas.ts'
import { bodySchemas, contract, documentOf, HAND_WRITTEN, IT, judgeOf, schemas } from './documents.ts'

const BODIES = [...bodySchemas(contract, 'requestBody'), ...bodySchemas(contract, 'responses')]

describe.each(BODIES)('%s', (pointer) => {
  test('every generated value is valid', () => expectValid(contract, pointer, schemas, 5 * SCALE))
  test('every generated invalid value violates one keyword', () =>
    expectBroken(contract, pointer, schemas, 2 * SCALE))
})

describe.each(Object.keys(HAND_WRITTEN))('%s', (name) => {
  const document = documentOf(HAND_WRITTEN[name])
  const made = createSchemas(document)
  test('every generated value is valid', () => expectValid(document, IT, made, 15 * SCALE))
  if (name !== 'anything')
    test('every generated invalid value violates one keyword', () =>
      expectBroken(document, IT, made, 5 * SCALE))
})

function expectValid(document: object, pointer: string, made: Schemas, numRuns: number) {
  const judge = judgeOf(document, pointer)
  const values = made.arbitraryOf(pointer)
  expect(values).toBeDefined()
  const holds = fc.property(values ?? fc.constant(null), (value) => {
    expect(judge(value)).toEqual([])
  })
  fc.assert(holds, { numRuns })
}

function expectBroken(document: object, pointer: string, made: Schemas, numRuns: number) {
  const judge = judgeOf(document, pointer)
  const variants = made.brokenArbitraryOf(pointer)
  expect(variants).toBeDefined()
  const holds = fc.property(variants ?? fc.constant(undefined), (variant) => {
    expect(judge(variant?.accepted)).toEqual([])
    expect(judge(variant?.body).map((it) => it.contract)).toEqual([variant?.change.contract])
  })
  fc.assert(holds, { numRuns })
}

test('the same seed generates the same values', () => {
  const pointer = '/components/schemas/TransferRequest'
  const draw = () =>
    fc.sample(createSchemas(contract).arbitraryOf(pointer) ?? fc.constant(null), { seed: 7, numRuns: 50 })
  expect(draw()).toEqual(draw())
  expect(new Set(draw().map((it) => JSON.stringify(it))).size).toBeGreaterThan(40)
})

test('generates both branches, and optional properties with and without', () => {
  const values = fc.sample(schemas.arbitraryOf('/components/schemas/TransferRequest') ?? fc.constant(null), {
    seed: 1,
    numRuns: 200,
  })
  const seen = (test: (value: object) => boolean) => values.filter((it) => test(it as object)).length
  expect(seen((it) => 'emv' in it)).toBeGreaterThan(20)
  expect(seen((it) => 'dict_key' in it)).toBeGreaterThan(20)
  expect(seen((it) => 'beneficiary' in it)).toBeGreaterThan(20)
  expect(seen((it) => !('beneficiary' in it))).toBeGreaterThan(20)
})

test('values shrink towards small ones', () => {
  const values = createSchemas(documentOf(HAND_WRITTEN.recursive)).arbitraryOf(IT) ?? fc.constant(null)
  const failed = fc.check(
    fc.property(values, (it) => !JSON.stringify(it).includes('parts')),
    { seed: 1 },
  )
  expect(failed.counterexample).toEqual([{ name: '', parts: [] }])
})
