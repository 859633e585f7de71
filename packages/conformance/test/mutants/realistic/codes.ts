import type { Json } from '../../services/json.ts'
import { changeSuccess, type Wrap } from '../../services/wrap.ts'
import type { Mutants } from '../mutant.ts'
import { afterWeekend, cached, centavosOf, chargeOf, jsonOf, listOf, todayOf, withMore } from '../tools.ts'

interface Today {
  readonly due: string
  readonly here: string
  readonly utc: string
}

/** Changes the check of a due-date charge, depending on the request that created it. */
function ofDueDate(change: (body: Json, amount: Json, today: Today) => Json): Wrap {
  return changeSuccess('checkCode', async (body, { json }, sandbox) => {
    const found = await chargeOf(sandbox, json?.emv)
    if (found?.kind !== 'DueDate') return body
    const due = String(jsonOf(found.charge.calendar).due_date)
    return change(body, jsonOf(found.charge.amount), { due, ...todayOf(sandbox) })
  })
}

export const codes: Mutants = {
  'check-cached': {
    describe:
      'Remembers the check of a code for a minute, so a charge that was cancelled meanwhile still looks open.',
    operation: 'checkCode',
    service: cached(60, ({ operation, json, headers }) =>
      operation === 'checkCode' ? `${headers.get('authorization')} ${json?.emv}` : undefined,
    ),
  },
  'check-discount-ends-a-day-early': {
    describe: 'A discount until a date is no longer given on that date.',
    operation: 'checkCode',
    service: ofDueDate((body, { discount }, { here }) => {
      const dates = listOf(jsonOf(discount).fixedDateDiscount).map(({ date }) => String(date))
      const isLast = dates.includes(here) && !dates.some((it) => it > here)
      return isLast ? withMore(body, 'discount', -centavosOf(body.discount)) : body
    }),
  },
  'check-fine-rounded-up': {
    describe: 'A fine in percent is rounded to the next centavo instead of truncated.',
    operation: 'checkCode',
    service: ofDueDate((body, amount) => {
      const { modality, amount: value } = jsonOf(amount.fine)
      const base = centavosOf(body.original_amount) - centavosOf(body.deduction)
      const isOver = modality === '2' && body.fine !== '0' && (base * centavosOf(value)) % 10_000n > 0n
      return isOver ? withMore(body, 'fine', 1n) : body
    }),
  },
  'check-zero-fine-with-decimals': {
    describe: 'A fine of zero is written 0.00 for overdue charges without a fine.',
    operation: 'checkCode',
    service: ofDueDate((body, { fine }, { due, here }) =>
      !fine && here > afterWeekend(due) ? { ...body, fine: '0.00' } : body,
    ),
  },
}
