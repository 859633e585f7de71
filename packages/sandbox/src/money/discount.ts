import type { DiscountInput, FixedDateDiscountInput } from '@partner-payments/spec'
import { businessDaysBetween, nextBusinessDay } from './business-days.ts'
import { parseCentavos } from './centavos.ts'
import { daysBetween } from './days.ts'
import { centavosOf, type Payment, shareOf } from './share.ts'

/**
 * The early payment discount on a full-date, in centavos. Modalities 1 (value) and 2 (percentage of the base) apply
 * until fixed dates. The others apply to every day before the due date: 3 and 4 a value, 5 and 6 a percentage, where 4
 * and 6 count business days. Days count to `due`, business day or not. The result may exceed the base.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, sections 4.2.1 and 4.2.2.
 */
export function earlyDiscount(discount: DiscountInput | undefined, { base, due, day }: Payment): bigint {
  if (!discount?.modality) return 0n
  const { modality } = discount
  if (modality === '1' || modality === '2') {
    const amount = amountUntil(discount.fixedDateDiscount ?? [], day)
    return centavosOf({ modality, amount }, base)
  }
  const { days, percent } = PER_DAY[modality]
  const amount = parseCentavos(discount.amount ?? '0') * BigInt(Math.max(0, days(day, due)))
  return percent ? shareOf(base, amount) : amount
}

const PER_DAY = {
  '3': { days: daysBetween, percent: false },
  '4': { days: businessDaysBetween, percent: false },
  '5': { days: daysBetween, percent: true },
  '6': { days: businessDaysBetween, percent: true },
} satisfies Partial<Record<Modality, unknown>>

type Modality = NonNullable<DiscountInput['modality']>

/** The amount of the earliest date that is not past. */
function amountUntil(discounts: FixedDateDiscountInput[], day: string): string {
  const open = discounts.filter(({ date }) => date && day <= nextBusinessDay(date))
  const [first] = open.toSorted((a, b) => daysBetween(b.date ?? day, a.date ?? day))
  return first?.amount ?? '0'
}
