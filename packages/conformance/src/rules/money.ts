import { chargeOf, partsOf } from '../causes/codes.ts'
import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { centavosOf, reaisOf } from '../model/centavos.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { isForbidden } from './causes.ts'
import { cited, judge, type Rule } from './rule.ts'

export const moneySums: Rule = {
  id: 'money-sums',
  says: 'The final amount of a code is the original one, less deduction and discount, plus interest and fine.',
  advice: 'Calculate with whole centavos.',
  read(exchange, model, report) {
    if (exchange.operation?.id !== 'checkCode' || exchange.outcome !== 'accepted') return
    const reading = { exchange, model, report }
    const amountOf = (name: string) => centavosOf(valueAt(exchange.shown, `/${name}`))
    const [total, original, interest, fine, deduction, discount] = AMOUNTS.map(amountOf)
    const isOpen = valueAt(exchange.shown, '/allow_value_change')
    const open = `allow_value_change is ${isOpen} for an original_amount of ${stringAt(exchange.shown, '/original_amount')}.`
    if (original !== undefined && typeof isOpen === 'boolean')
      invariant('open-amount', reading, isOpen === (original === 0n), open)
    if (total === undefined || original === undefined || interest === undefined || fine === undefined) return
    if (deduction === undefined || discount === undefined) return
    const isRight = total === original + interest + fine - deduction - discount
    invariant('final-amount', reading, isRight, 'final_amount is another sum than that of its parts.')
  },
}

const AMOUNTS = ['final_amount', 'original_amount', 'interest', 'fine', 'deduction', 'discount']

export const moneyDue: Rule = {
  id: 'money-due',
  says: 'The amount of a charge follows its deduction, discount, fine and interest on each day until it expires.',
  advice:
    "Follow annex III of the central bank's manual: each part truncated to centavos, days of Brazil's time.",
  settles: ['final-amount/'],
  read(exchange, model, report) {
    const emv = stringAt(exchange.sent, '/emv') ?? ''
    if (exchange.operation?.id !== 'checkCode' || exchange.outcome !== 'accepted') return
    const record = chargeOf(emv, { exchange, model })
    const isWrong =
      !record?.created || !isValid(record.created) || isForbidden({ exchange: record.created, model })
    const parts = isWrong ? undefined : partsOf(record, { exchange, model })
    for (const [name, due] of Object.entries(parts ?? {})) {
      const shown = valueAt(exchange.shown, `/${name}`)
      if (typeof shown !== 'string' || !/^\d+(\.\d+)?$/.test(shown)) continue
      const { modality } = fieldsOf(valueAt(record?.created?.sent, `/amount/${name}`))
      const words = modality === undefined ? 'a charge' : `a charge with a ${name} of modality ${modality}`
      const message = `checkCode shows ${name} of ${words} as ${shown}; expected ${reaisOf(due)}.`
      judge(report, exchange, {
        cites: { question: 'final-amount' },
        message: centavosOf(shown) === due ? undefined : message,
        about: name,
        impact: 'high',
      })
    }
  },
}

export const moneyTransfers: Rule = {
  id: 'money-transfers',
  says: 'The parts of a transfer agree: its ids, its status, its times and its payer.',
  advice: 'Show a transfer by one function.',
  read(exchange, model, report) {
    if (exchange.operation?.id !== 'createTransfer' || exchange.outcome !== 'accepted') return
    const read = (pointer: string) => stringAt(exchange.shown, pointer)
    const check = (name: string, isRight: boolean, message: string) =>
      invariant(name, { exchange, model, report }, isRight, message)
    const [status, settledAt, rejection] = [
      '/data/status',
      '/data/settled_at',
      '/data/rejection_message',
    ].map(read)
    check('transfer-envelope', read('/id') === read('/data/id'), 'id differs from that in data.')
    check('transfer-envelope-status', read('/status') === status, 'status differs from that in data.')
    check(
      'settled-at',
      settledAt === undefined || isFilled(settledAt) === (status === 'settled'),
      'settled_at does not go with status.',
    )
    check(
      'rejection-message',
      rejection === undefined || isFilled(rejection) === (status === 'rejected'),
      'rejection_message does not go with status.',
    )
    const [id = '', ispb = ''] = ['/data/end_to_end_id', '/data/payer/ispb'].map(read)
    const isNow = isMinuteOf(id, model.timeAt(exchange.completeAt))
    check(
      'end-to-end-id',
      id.startsWith(`E${ispb}`) && isNow,
      'end_to_end_id names another institution or minute.',
    )
  },
}

export const moneyKeys: Rule = {
  id: 'money-keys',
  says: 'A look-up names the kind of its key, and the kind of its owner.',
  advice: 'Derive both from the key and from the document.',
  read(exchange, model, report) {
    if (exchange.operation?.id !== 'checkKey' || exchange.outcome !== 'accepted') return
    const { invariants = {} } = model.contract.behaviour
    for (const name of ['key-kind', 'owner-kind']) {
      const { field = '', of = '', forms = {} } = invariants[name]?.formOf ?? {}
      const [shown, value] = [field, of].map((it) => stringAt(exchange.shown, it))
      const [kind] = Object.entries(forms).find(([, form]) => new RegExp(form).test(value ?? '')) ?? []
      const isOther = exchange.differences.some(({ pointer }) => pointer === field || pointer === of)
      if (kind === undefined || shown === undefined || value === undefined || isOther) continue
      invariant(name, { exchange, model, report }, shown === kind, `${field} is ${shown}; expected ${kind}.`)
    }
  },
}

interface Reading {
  readonly exchange: Exchange
  readonly model: Model
  readonly report: Report
}

function invariant(
  name: string,
  { exchange, model, report }: Reading,
  isRight: boolean,
  message: string,
): void {
  const cites = cited(model.contract.behaviour.invariants?.[name])
  judge(report, exchange, {
    cites,
    message: isRight ? undefined : `${exchange.operation?.id}: ${message}`,
    about: name,
    impact: 'high',
  })
}

/** Words that services show in place of a value. */
export function isFilled(text: string): boolean {
  return !/^(-+|n\/a|none|nil|null|0001-01-01t00:00:00z)?$/i.test(text)
}

/** Whether an end_to_end_id names a minute near a time, in UTC: less far than Brazilian time is. */
function isMinuteOf(id: string, time: number): boolean {
  const [, year, month, day, hour, minute] =
    /^E.{8}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)[A-Za-z0-9]{11}$/.exec(id) ?? []
  return Math.abs(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) - time) < 90 * 60_000
}
