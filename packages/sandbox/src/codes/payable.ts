import type { RefusalCode } from '../behaviour.ts'
import { type Charge, computeAmounts } from '../money/charge.ts'
import { dayOf, lastPayableDay } from '../money/days.ts'
import { Refusal } from '../problems.ts'
import { type ChargeRow, parseCharge, readImmediate } from '../qrcodes/record.ts'
import { timestamp } from '../time.ts'

export type Amounts = ReturnType<typeof computeAmounts>

/**
 * The amounts of a charge at a moment, if it can be paid then.
 *
 * @param asked Who asks: a check or a transfer, which sent the code in its body, or a payment from
 *   outside.
 */
export function amountsNow(row: ChargeRow, now: number, asked: Asked): Amounts {
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

  return row.kind === 'DueDate' ? amountsOfDueDate(row, now) : amountsOfImmediate(row)
}

type Asked = 'check' | 'transfer' | 'outside'

/** A check finds the code unusable (422), a payment conflicts with another one (409). */
function paidOnce(asked: Asked): Refusal {
  const status = asked === 'check' ? 422 : 409
  return createRefusal('code_paid', 'A charge is paid once.', asked, { status })
}

/** A payment from outside sent no code in its body, so its refusal points to none. */
function createRefusal(
  code: RefusalCode,
  detail: string,
  asked: Asked,
  options: { readonly status?: number } = {},
): Refusal {
  if (asked === 'outside') return new Refusal(code, options)
  return new Refusal(code, { ...options, errors: [{ pointer: '/emv', code, detail }] })
}

function amountsOfDueDate(row: ChargeRow, now: number): Amounts {
  const { amount, calendar } = parseCharge<'DueDate'>(row)
  // The stored charge was validated as a request, whose enums are closed.
  const charge = { ...amount, due_date: calendar.due_date } as Charge
  return computeAmounts(charge, dayOf(now))
}

/** An immediate charge has no adjustments. */
function amountsOfImmediate(row: ChargeRow): Amounts {
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

/** When the charge expired, or undefined if it can still be paid. */
function findExpiration(row: ChargeRow, now: number): string | undefined {
  if (row.kind === 'Immediate') {
    const { lapsesAt } = readImmediate(row)
    return lapsesAt < now ? timestamp(lapsesAt) : undefined
  }

  const { due_date, expiration_days } = parseCharge<'DueDate'>(row).calendar
  const lastDay = lastPayableDay(due_date, expiration_days)
  return lastDay < dayOf(now) ? lastDay : undefined
}
