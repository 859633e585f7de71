import type { DeductionInput, FineInput } from '@partner-payments/spec'
import { parseCentavos } from './centavos.ts'

/** A payment, with what discount, interest and fine depend on. */
export type Payment = {
  /** The original less the deduction, in centavos. */
  base: bigint
  /** The full-date from which early or late days count. */
  due: string
  /** The full-date of the payment. */
  day: string
}

/**
 * A percentage of centavos, truncated to centavos. The percentage is in hundredths of a percent.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 */
export function shareOf(base: bigint, percentage: bigint): bigint {
  return (base * percentage) / 100_00n
}

/**
 * The centavos of an adjustment with two modalities: 1 is a value, 2 a percentage of the base.
 *
 * Pix API 2.9.0, `multa` and `abatimento`; Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 */
export function centavosOf(adjustment: Adjustment | undefined, base: bigint): bigint {
  if (!adjustment?.modality) return 0n
  const amount = parseCentavos(adjustment.amount ?? '0')
  return adjustment.modality === '2' ? shareOf(base, amount) : amount
}

type Adjustment = DeductionInput | FineInput
