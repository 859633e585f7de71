import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { reaisOf } from './centavos.ts'

/** Days that the clock is moved: past any row of holidays. */
const DAYS = 10

/** Centavos of a charge, which are large enough to tell the modalities apart. */
const ORIGINAL = 1_000_99n
const DEDUCTION = 100_00n
const BASE = ORIGINAL - DEDUCTION

/** Interest by modality: a rate in hundredths, and the days of its period; none where it is a value for each day. */
const INTEREST = [
  { modality: '1', rate: 100n, period: undefined },
  { modality: '2', rate: 100n, period: 1n },
  { modality: '3', rate: 300n, period: 30n },
  { modality: '4', rate: 1_200n, period: 360n },
  { modality: '5', rate: 100n, period: undefined },
  { modality: '6', rate: 100n, period: 1n },
  { modality: '7', rate: 300n, period: 21n },
  { modality: '8', rate: 1_200n, period: 252n },
] as const

/** A sandbox can be told to move its clock; for no other service is waited. */
export const overdueAmounts: Rule = {
  id: 'overdue-amounts',
  phase: 'later',
  isTraffic: true,
  cites: { question: 'final-amount' },
  needs: ['createDueDateQrCode', 'checkCode'],
  stateful: true,
  isOfSandbox: true,
  impact: 'high',
  title:
    'A charge that is overdue and still payable asks for its fine once, and for its interest by the day.',
  advice:
    "Follow annex III of the central bank's manual: fine once, interest from the day after the due date.",
  run: async (context) => {
    const day = context.clock.day()
    const made: TrackedResources[] = []
    for (const row of INTEREST) {
      const emv = await charged(context, row, day)
      if (emv === undefined) context.inconclusive()
      else made.push({ row, emv })
    }
    if (!(await context.clock.move(DAYS * 86_400))) return
    await context.renewIdentities()
    await context.each(made, async ({ row, emv }) => {
      isLate(context, await context.send(context.contract.operation('checkCode'), { body: { emv } }), row)
    })
  },
}

type Row = (typeof INTEREST)[number]

interface TrackedResources {
  readonly row: Row
  readonly emv: string
}

/** The code of a charge that is due on a day. Its fine is a value where the interest is one, and of percent else. */
async function charged(context: Context, row: Row, due_date: string): Promise<string | undefined> {
  const { modality, rate } = row
  const amount = {
    original: reaisOf(ORIGINAL),
    deduction: { amount: '100.00', modality: '1' },
    fine: { amount: '2.00', modality: fineOf(row) },
    interest: { amount: `${rate / 100n}.00`, modality },
  }
  const calendar = { due_date, expiration_days: 30 }
  const set = { '/amount': amount, '/calendar': calendar }
  const { emv } = nodeOf((await context.accepted('createDueDateQrCode', { set }))?.body)
  // Only what is checked before its due date is refused because that has passed.
  const checked = await context.send(context.contract.operation('checkCode'), { body: { emv } })
  return typeof emv === 'string' && isSuccess(checked) ? emv : undefined
}

function fineOf({ period }: Row): '1' | '2' {
  return period === undefined ? '1' : '2'
}

function isLate(context: Context, checked: Exchange, row: Row): void {
  if (!isSuccess(checked)) {
    const closed = `Expected a charge that is payable for 30 days more to be checked, got ${checked.response.status}.`
    context.expect(checked, closed, { about: 'days', question: 'due-date-members' })
    return
  }
  const { fine, interest } = nodeOf(checked.body)
  const once = fineOf(row) === '1' ? '2.00' : reaisOf((BASE * 2n) / 100n)
  context.expect(checked, fine === once ? undefined : `Expected a fine of ${once}, got ${fine}.`, {
    about: `fine ${fineOf(row)}`,
  })
  const possible = daysOf(row).map((days) => reaisOf(interestOf(row, days)))
  const message = `Expected interest of modality ${row.modality} to be one of ${possible.join(', ')}, got ${interest}.`
  context.expect(checked, possible.some((it) => it === interest) ? undefined : message, {
    about: `interest ${row.modality}`,
  })
}

/** The due date may have been moved to the next business day, and which days are business days a calendar knows alone. */
function daysOf({ modality }: Row): bigint[] {
  const [least, most] = Number(modality) <= 4 ? [DAYS - 5, DAYS] : [2, DAYS - 2]
  return Array.from({ length: most - least + 1 }, (_, i) => BigInt(least + i))
}

/** Centavos: a rate is truncated to six places before it meets the base. */
function interestOf({ rate, period }: Row, days: bigint): bigint {
  if (period === undefined) return rate * days
  const millionths = (rate * days * 100n) / period
  return (BASE * millionths) / 1_000_000n
}
