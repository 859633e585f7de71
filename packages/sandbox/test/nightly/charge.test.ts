import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountsOn } from '../../src/money/charge.ts'
import { addDays } from '../../src/money/days.ts'
import { charge, offset, referenceAmounts } from '../money/reference.ts'

test('any charge, on any day, equals the calculation in fractions', () => {
  fc.assert(
    fc.property(charge, offset, (given, days) => {
      const day = addDays(given.due_date, days)
      expect(amountsOn(given, day)).toEqual(referenceAmounts(given, day))
    }),
    { numRuns: 6_000 },
  )
})
