import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSchemas, type Schemas } from '../../../src/generate/schema/schemas.ts'
import { bodySchemas, contract, documentOf, HAND_WRITTEN, IT, judgeOf, schemas } from './documents.ts'

/** Tests that generated values are valid or invalid as they should be: so many times as many as the fewest. */
export function testGenerated(times: number): void {
  describe.each(BODIES)('%s', (pointer) => {
    test('every generated value is valid', () => expectValid(contract, pointer, schemas, times))
    test('every generated invalid value violates one keyword', () =>
      expectBroken(contract, pointer, schemas, times))
  })
  describe.each(Object.keys(HAND_WRITTEN))('%s', (name) => {
    const document = documentOf(HAND_WRITTEN[name])
    const made = createSchemas(document)
    test('every generated value is valid', () => expectValid(document, IT, made, 5 * times))
    if (name !== 'anything')
      test('every generated invalid value violates one keyword', () =>
        expectBroken(document, IT, made, 3 * times))
  })
}

const BODIES = [...bodySchemas(contract, 'requestBody'), ...bodySchemas(contract, 'responses')]

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
