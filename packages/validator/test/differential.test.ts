import { expect, it } from 'vitest'
import { compareAnySchema, compareSchema } from './differential.ts'

it('agrees with another implementation on the body of a transfer', async () => {
  const { right, wrong } = await compareSchema('TransferRequest', 10)
  expect(right).toBeGreaterThan(0)
  expect(wrong).toBeGreaterThan(100)
})

it('selects a branch with the same result as another implementation, for any schema', async () => {
  const { right, wrong } = await compareAnySchema(20)
  expect(Math.min(right, wrong)).toBeGreaterThan(10)
})
