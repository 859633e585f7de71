import { STATIC_CODE } from '../../faulty/fixtures.ts'
import type { Json } from '../../faulty/json.ts'
import { changeSuccess, type Wrap } from '../../faulty/wrap.ts'
import type { Mutants } from '../mutant.ts'
import type { Stage } from '../stage.ts'
import {
  afterWeekend,
  BRAZIL,
  cached,
  callerOf,
  centavosOf,
  chargeOf,
  dayAt,
  daysBetween,
  jsonOf,
  listOf,
  rowOf,
  todayOf,
  withMore,
} from '../tools.ts'
import { DUE_DATE, IMMEDIATE, immediate } from './orders.ts'

const CHECK = 'POST /pix/brcode/emv/'

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

/** The fine in centavos, truncated correctly. */
function fineOf(body: Json, amount: Json): bigint {
  const { modality, amount: value } = jsonOf(amount.fine)
  if (modality === undefined) return 0n
  const base = centavosOf(body.original_amount) - centavosOf(body.deduction)
  return modality === '2' ? (base * centavosOf(value)) / 10_000n : centavosOf(value)
}

const _FINE = { original: '33.35', fine: { modality: '2', amount: '2.00' } }

async function _checked(stage: Stage, order: Json, days = 0): Promise<Json> {
  const { emv } = (await stage.partner(DUE_DATE, order)).body
  if (days) await stage.wait(days * 86_400)
  return (await stage.customer(CHECK, { emv })).body
}

/** The next Saturday, at least a week from now. */
function _saturday({ sandbox }: Stage): string {
  const now = sandbox.app.clock.now()
  const ahead = 7 + ((6 - new Date(now).getUTCDay() + 7) % 7)
  return dayAt(now + ahead * 86_400_000)
}

export const codes: Mutants = {
  'check-cached': {
    describe:
      'Remembers the check of a code for a minute, so a charge that was cancelled meanwhile still looks open.',
    operation: 'checkCode',
    expects: 'checkCode still shows a charge as ATIVA right after it was cancelled.',
    service: cached(60, ({ operation, json, headers }) =>
      operation === 'checkCode' ? `${headers.get('authorization')} ${json?.emv}` : undefined,
    ),
  },
  'check-discount-ends-a-day-early': {
    describe: 'A discount until a date is no longer given on that date.',
    operation: 'checkCode',
    expects: 'discount and final_amount of checkCode on the last day of a fixed-date discount.',
    service: ofDueDate((body, { discount }, { here }) => {
      const dates = listOf(jsonOf(discount).fixedDateDiscount).map(({ date }) => String(date))
      const isLast = dates.includes(here) && !dates.some((it) => it > here)
      return isLast ? withMore(body, 'discount', -centavosOf(body.discount)) : body
    }),
  },
  'check-fine-rounded-up': {
    describe: 'A fine in percent is rounded to the next centavo instead of truncated.',
    operation: 'checkCode',
    expects: 'fine of checkCode is a centavo too much for an overdue charge.',
    service: ofDueDate((body, amount) => {
      const { modality, amount: value } = jsonOf(amount.fine)
      const base = centavosOf(body.original_amount) - centavosOf(body.deduction)
      const isOver = modality === '2' && body.fine !== '0' && (base * centavosOf(value)) % 10_000n > 0n
      return isOver ? withMore(body, 'fine', 1n) : body
    }),
  },
  'check-fine-on-the-original': {
    describe: 'A fine in percent is taken of the original amount, though a deduction lowered it.',
    operation: 'checkCode',
    expects: 'fine of checkCode for an overdue charge with a deduction.',
    service: ofDueDate((body, amount) => {
      const { modality, amount: value } = jsonOf(amount.fine)
      if (modality !== '2' || body.fine === '0') return body
      const fine = (centavosOf(body.original_amount) * centavosOf(value)) / 10_000n
      return withMore(body, 'fine', fine - centavosOf(body.fine))
    }),
  },
  'check-fine-after-a-weekend': {
    describe: 'A charge that was due on a Saturday has a fine on the Monday after it.',
    operation: 'checkCode',
    expects: 'fine of checkCode must be 0 on the business day after a due date on a weekend.',
    service: ofDueDate((body, amount, { due, here }) =>
      here > due && here <= afterWeekend(due) ? withMore(body, 'fine', fineOf(body, amount)) : body,
    ),
  },
  'check-fine-by-the-day-of-utc': {
    describe: 'Late charges count by the day in UTC: from 21:00 in Brazil on, a charge due today has a fine.',
    operation: 'checkCode',
    expects: 'fine of checkCode on the due date itself, between 21:00 and midnight in Brazil.',
    service: ofDueDate((body, amount, { due, here, utc }) =>
      here <= afterWeekend(due) && utc > afterWeekend(due)
        ? withMore(body, 'fine', fineOf(body, amount))
        : body,
    ),
  },
  'check-interest-on-calendar-days': {
    describe: 'Interest by business day (modality 5) counts Saturdays and Sundays too.',
    operation: 'checkCode',
    expects: 'interest of checkCode for a charge overdue over a weekend, with modality 5.',
    service: ofDueDate((body, amount, { due, here }) => {
      const { modality, amount: value } = jsonOf(amount.interest)
      const days = BigInt(Math.max(0, daysBetween(afterWeekend(due), here)))
      if (modality !== '5' || days === 0n) return body
      return withMore(body, 'interest', centavosOf(value) * days - centavosOf(body.interest))
    }),
  },
  'check-expiration-in-local-time': {
    describe: 'expiration of a checked code is in Brazilian time, though it ends in Z.',
    operation: 'checkCode',
    expects: 'expiration of checkCode is three hours before created_at plus calendar.expiration.',
    success: (body) =>
      body.expiration
        ? {
            ...body,
            expiration: new Date(Date.parse(String(body.expiration)) + BRAZIL * 3_600_000).toISOString(),
          }
        : body,
  },
  'check-message-null-as-text': {
    describe: 'The message of a charge that has none is the text "null".',
    operation: 'checkCode',
    expects: 'message of checkCode is "null" for a charge without a message.',
    success: (body) =>
      body.message === null && body.qrcode_type !== 'Static' ? { ...body, message: 'null' } : body,
    shows: async (stage) => {
      const { emv } = (await stage.partner(IMMEDIATE, immediate())).body
      return (await stage.customer(CHECK, { emv })).body.message
    },
  },
  'check-shows-one-info': {
    describe: 'The check shows the first of the additional_infos alone.',
    operation: 'checkCode',
    expects: 'additional_infos of checkCode lack the second pair of the charge.',
    success: (body) => ({
      ...body,
      additional_infos: listOf(body.additional_infos).slice(0, 1),
    }),
    shows: async (stage) => {
      const additional_infos = [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ]
      const { emv } = (await stage.partner(IMMEDIATE, immediate({ additional_infos }))).body
      return (await stage.customer(CHECK, { emv })).body.additional_infos
    },
  },
  'check-changes-the-charge': {
    describe: 'Checking a code saves the charge again: its revision and updated_at grow.',
    operation: 'checkCode',
    also: ['listImmediateQrCodes', 'listDueDateQrCodes'],
    expects: 'revision or updated_at of a charge changes by a mere check.',
    afterwards: async (_, { json }, sandbox) => {
      const sql = `UPDATE qrcodes SET revision = revision + 1, updated_at = ? WHERE emv = ? AND kind <> 'Static'`
      await sandbox.run(sql, [sandbox.app.clock.now(), String(json?.emv)])
    },
    shows: async (stage) => {
      const { emv } = (await stage.partner(IMMEDIATE, immediate())).body
      await stage.customer(CHECK, { emv })
      return (await stage.customer(CHECK, { emv })).body.revision
    },
  },
  'check-static-payer-is-caller': {
    describe: 'The payer of a static code, who is unknown, is shown as the one who asks.',
    operation: 'checkCode',
    expects: 'payer of checkCode must be empty for a static code.',
    success: async (body, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      const sql = 'SELECT name, tax_id FROM accounts WHERE id = ?'
      const payer = await rowOf(sandbox, sql, [caller?.account_id ?? ''])
      return body.qrcode_type === 'Static' && payer ? { ...body, payer } : body
    },
    shows: async ({ customer }) => (await customer(CHECK, { emv: STATIC_CODE })).body.payer,
  },
  'check-of-long-codes-refused': {
    describe: 'A payment code of more than 255 characters is refused as undecodable.',
    operation: 'checkCode',
    expects: 'checkCode refuses a valid code of 256 to 512 characters.',
    refuse: [({ emv }) => String(emv).length > 255, [422, 'invalid_code']],
    shows: async ({ customer }) => (await customer(CHECK, { emv: 'x'.repeat(300) })).body.detail,
  },
  'check-zero-fine-with-decimals': {
    describe: 'A fine of zero is written 0.00 for overdue charges without a fine.',
    operation: 'checkCode',
    expects: 'fine of checkCode must be written 0, not 0.00.',
    service: ofDueDate((body, { fine }, { due, here }) =>
      !fine && here > afterWeekend(due) ? { ...body, fine: '0.00' } : body,
    ),
  },
}
