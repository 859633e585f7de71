import type { RefusalCode } from '../behaviour.ts'
import { amountsOn, type Charge } from '../money/charge.ts'
import { dayOf, payableUntil } from '../money/days.ts'
import { Refusal } from '../problems.ts'
import { type ChargeRow, chargeOf, immediateOf } from '../qrcodes/record.ts'
import { timestamp } from '../time.ts'

export type Amounts = ReturnType<typeof amountsOn>

const NONE = { deduction: 0n, discount: 0n, fine: 0n, interest: 0n }

/**
 * The amounts of a charge at a moment, if it can be paid then.
 *
 * @param asked Who asks: a check or a transfer, which sent the code in its body, or a payment from
 *   outside.
 */
export function amountsNow(
  row: ChargeRow,
  now: number,
  asked: 'check' | 'transfer' | 'outside',
): Amounts {
  const refuse = (code: RefusalCode, detail: string, status?: number): never => {
    const errors = asked === 'outside' ? undefined : [{ pointer: '/emv', code, detail }]
    throw new Refusal(code, { ...(errors && { errors }), ...(status && { status }) })
  }
  const paid = asked === 'check' ? 422 : 409
  if (row.status === 'CONCLUIDA' || row.transfer_id)
    refuse('code_paid', 'A dynamic code is paid once.', paid)
  if (row.status !== 'ATIVA') refuse('code_cancelled', 'The receiver cancelled the charge.')
  const until = lapsedAt(row, now)
  if (until) refuse('code_expired', `The charge could be paid until ${until}.`)
  if (row.kind === 'DueDate') {
    const { amount, calendar } = chargeOf<'DueDate'>(row)
    // The stored charge was validated as a request, whose enums are closed.
    return amountsOn({ ...amount, due_date: calendar.due_date } as Charge, dayOf(now))
  }
  const original = immediateOf(row).centavos
  return { ...NONE, original, final: original }
}

/** When the charge expired, or undefined if it can still be paid. */
function lapsedAt(row: ChargeRow, now: number): string | undefined {
  if (row.kind === 'Immediate') {
    const { lapsesAt } = immediateOf(row)
    return lapsesAt < now ? timestamp(lapsesAt) : undefined
  }
  const { due_date, expiration_days } = chargeOf<'DueDate'>(row).calendar
  const last = payableUntil(due_date, expiration_days)
  return last < dayOf(now) ? last : undefined
}
