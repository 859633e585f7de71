import type { FineInput, InterestInput } from '@partner-payments/spec'
import { businessDaysBetween } from './business-days.ts'
import { parseCentavos } from './centavos.ts'
import { daysBetween } from './days.ts'
import { centavosOf, type Payment } from './share.ts'

/**
 * The interest of a late payment, in centavos. Modality 1 is a value per day; 2 to 4 are a percentage per day, month of
 * 30 days or year of 360. 5 to 8 are the same in business days, 21 a month and 252 a year. Interest is simple, never
 * compound. The rate is truncated to six places before it is applied to the base. Days count from `due`, which must be
 * a business day.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 */
export function lateInterest(interest: InterestInput | undefined, { base, due, day }: Payment): bigint {
  if (!interest?.modality) return 0n
  const { days, period } = INTEREST[interest.modality]
  const amount = parseCentavos(interest.amount ?? '0') * BigInt(Math.max(0, days(due, day)))
  if (!period) return amount
  // Hundredths of a percent have four decimal places; times 100 makes six.
  const millionths = (amount * 100n) / period
  return (base * millionths) / 1_000_000n
}

const INTEREST = {
  '1': { days: daysBetween, period: undefined },
  '2': { days: daysBetween, period: 1n },
  '3': { days: daysBetween, period: 30n },
  '4': { days: daysBetween, period: 360n },
  '5': { days: businessDaysBetween, period: undefined },
  '6': { days: businessDaysBetween, period: 1n },
  '7': { days: businessDaysBetween, period: 21n },
  '8': { days: businessDaysBetween, period: 252n },
} satisfies Record<NonNullable<InterestInput['modality']>, unknown>

/**
 * The fine of a late payment, in centavos: a value (modality 1) or a percentage of the base (2). It is the same from
 * the first day on.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 */
export function lateFine(fine: FineInput | undefined, { base, due, day }: Payment): bigint {
  return day > due ? centavosOf(fine, base) : 0n
}
