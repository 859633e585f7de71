import type { RefusalCode } from '../behaviour.ts'
import { type Charge, computeAmounts } from '../money/charge.ts'
import { dayOf, lastPayableDay } from '../money/days.ts'
import { Refusal } from '../problems.ts'
import { type ChargeRow, parseCharge, readImmediate } from '../qrcodes/record.ts'
import { timestamp } from '../time.ts'

export type Amounts = ReturnType<typeof computeAmounts>

/**
 * Returns the amounts that are due for a charge at a moment.
 *
 * @param asked who asks: a check or a transfer, which sent the code in its body, or a payment from
 *   outside. The refusal depends on it.
 * @throws {Refusal} if the charge cannot be paid then: it was paid or cancelled, or it has expired
 */
export function requirePayableAmounts(row: ChargeRow, now: number, asked: Asked): Amounts {
  const isPaid = row.status === 'CONCLUIDA'
  const isBeingPaid = row.transfer_id !== null
  if (isPaid || isBeingPaid) throw paidOnce(asked)

  if (row.status !== 'ATIVA') {
    throw createRefusal('code_cancelled', 'The receiver cancelled the charge.', asked)
  }

  const lapsed = findExpiration(row, now)
  if (lapsed !== undefined) {
    throw createRefusal('code_expired', `The charge could be paid until ${lapsed}.`, asked)
  }

  return row.kind === 'DueDate' ? computeDueDateAmounts(row, now) : readImmediateAmounts(row)
}

type Asked = 'check' | 'transfer' | 'outside'

/** A check finds the code unusable (422), a payment conflicts with another one (409). */
function paidOnce(asked: Asked): Refusal {
  const status = asked === 'check' ? 422 : 409
  return createRefusal('code_paid', 'A charge is paid once.', asked, { status })
}

/**
 * Creates the refusal of a charge that cannot be paid. It points to the code in the body, `/emv`,
 * except for a payment from outside, which sent none.
 */
function createRefusal(
  code: RefusalCode,
  detail: string,
  asked: Asked,
  options: { readonly status?: number } = {},
): Refusal {
  if (asked === 'outside') return new Refusal(code, options)
  return new Refusal(code, { ...options, errors: [{ pointer: '/emv', code, detail }] })
}

/** The amounts of a charge with a due date, on the day that it is in Brazil. */
function computeDueDateAmounts(row: ChargeRow, now: number): Amounts {
  const { amount, calendar } = parseCharge<'DueDate'>(row)
  // The stored charge was validated as a request, whose enums are closed.
  const charge = { ...amount, due_date: calendar.due_date } as Charge
  return computeAmounts(charge, dayOf(now))
}

/**
 * The amounts of an immediate charge. It has no adjustments, so the final amount is the original.
 */
function readImmediateAmounts(row: ChargeRow): Amounts {
  const { centavos } = readImmediate(row)
  return {
    original: centavos,
    deduction: 0n,
    discount: 0n,
    interest: 0n,
    fine: 0n,
    final: centavos,
  }
}

/**
 * When the charge expired, as a timestamp or as the last day; undefined if it can still be paid. An
 * immediate charge expires some seconds after its creation, one with a due date some days after
 * that.
 */
function findExpiration(row: ChargeRow, now: number): string | undefined {
  if (row.kind === 'Immediate') {
    const { lapsesAt } = readImmediate(row)
    return lapsesAt < now ? timestamp(lapsesAt) : undefined
  }

  const { due_date, expiration_days } = parseCharge<'DueDate'>(row).calendar
  const lastDay = lastPayableDay(due_date, expiration_days)
  return lastDay < dayOf(now) ? lastDay : undefined
}
