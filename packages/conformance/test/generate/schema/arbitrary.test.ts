import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchemas } from '../../../src/generate/schema/schemas.ts'
import { testGenerated } from './arbitraries.ts'
import { contract, documentOf, HAND_WRITTEN, IT, schemas } from './documents.ts'

testGenerated(1)

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
