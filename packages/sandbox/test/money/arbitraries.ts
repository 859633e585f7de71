import fc from 'fast-check'
import { formatCentavos } from '../../src/money/centavos.ts'
import type { Charge } from '../../src/money/charge.ts'
import { addDays } from '../../src/money/days.ts'

const amount = (max: bigint) => fc.bigInt({ min: 0n, max }).map(formatCentavos)
const small = amount(150_00n)
const day = fc.integer({ min: 0, max: 3000 }).map((count) => addDays('2020-01-01', count))
const early = fc.integer({ min: 0, max: 60 })
const two = fc.constantFrom('1' as const, '2' as const)
const perDay = fc.constantFrom('3' as const, '4' as const, '5' as const, '6' as const)
const eight = fc.constantFrom(...(['1', '2', '3', '4', '5', '6', '7', '8'] as const))

const discountOf = (due: string) =>
  fc.oneof(
    fc.record({ modality: perDay, amount: small }),
    fc.record({
      modality: two,
      fixedDateDiscount: fc.uniqueArray(
        fc.record({ amount: small, date: early.map((count) => addDays(due, -count)) }),
        { selector: ({ date }) => date, minLength: 1, maxLength: 3 },
      ),
    }),
  )

/** A charge with any modality, around amounts that its reductions sometimes exceed. */
export const charge: fc.Arbitrary<Charge> = day.chain((due_date) =>
  fc.record(
    {
      original: fc.oneof(small, amount(9_999_999_999_99n)),
      due_date: fc.constant(due_date),
      deduction: fc.record({ modality: two, amount: small }),
      discount: discountOf(due_date),
      fine: fc.record({ modality: two, amount: small }),
      interest: fc.record({ modality: eight, amount: small }),
    },
    { requiredKeys: ['original', 'due_date'] },
  ),
)

/** Days from the due date to the payment. */
export const offset = fc.integer({ min: -90, max: 90 })
