import { afterAll, expect, it } from 'vitest'
import { compareAnySchema, compareSchema, schemaNames } from '../differential.ts'

const compared = { right: 0, wrong: 0 }
afterAll(() => {
  expect(compared.right).toBeGreaterThan(1_000)
  expect(compared.wrong).toBeGreaterThan(10_000)
})

it.each(schemaNames)('agrees with another implementation on %s', async (name) => {
  const { right, wrong } = await compareSchema(name, 400)
  compared.right += right
  compared.wrong += wrong
})

it('selects a branch with the same result as another implementation, for any schema', async () => {
  const { right, wrong } = await compareAnySchema(2_000)
  expect(Math.min(right, wrong)).toBeGreaterThan(1_000)
})
