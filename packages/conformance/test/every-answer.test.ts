import { expect, test } from 'vitest'
import { runOf } from './laws/held.ts'

const finalAmounts = runOf('final-amount-adds-up')

test('a law that no answer bore on is not assessed, and never held', async () => {
  expect(await finalAmounts()).toEqual({ status: 'not-assessed', found: [] })
})
