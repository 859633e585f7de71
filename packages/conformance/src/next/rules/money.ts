import { tryDecode } from '@partner-payments/brcode'
import { stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { cited, judge, type Rule } from './rule.ts'

export const moneySums: Rule = {
  id: 'money-sums',
  says: 'The final amount of a code is the original one, less deduction and discount, plus interest and fine.',
  advice: 'Calculate with whole centavos.',
  read(exchange, model, report) {
    if (exchange.operation?.id !== 'checkCode' || exchange.outcome !== 'accepted') return
    const amountOf = (name: string) => centavos(stringAt(exchange.shown, `/${name}`))
    const [total, ...parts] = [
      'final_amount',
      'original_amount',
      'interest',
      'fine',
      'deduction',
      'discount',
    ].map(amountOf)
    const [original = 0n, interest = 0n, fine = 0n, deduction = 0n, discount = 0n] = parts
    if (total === undefined || parts.includes(undefined)) return
    const isRight = total === original + interest + fine - deduction - discount
    invariant(
      'final-amount',
      { exchange, model, report },
      isRight,
      'final_amount is another sum than that of its parts.',
    )
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

export const moneyCodes: Rule = {
  id: 'money-codes',
  says: 'A payment code decodes to the location, or to the key, the amount and the tx_id, that its record shows.',
  advice: 'Encode the code from the record, with a new checksum.',
  read(exchange, model, report) {
    for (const { fields, kind } of exchange.records) {
      const emv = stringAt(fields, '/emv')
      if (emv === undefined) continue
      const read = tryDecode(emv)
      const isStatic = kind.name === 'staticQrCode'
      const isRight = read.ok && isCodeOf(read.code, (name) => stringAt(fields, `/${name}`))
      const name = isStatic ? 'code-of-static' : 'code-of-immediate'
      invariant(
        name,
        { exchange, model, report },
        isRight,
        'The payment code does not show what its record shows.',
      )
    }
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

type Code = Extract<ReturnType<typeof tryDecode>, { ok: true }>['code']

/** A code may leave out an amount of zero. */
function isCodeOf(code: Code, shown: (name: string) => string | undefined): boolean {
  if (code.kind !== 'static')
    return !('location' in code) || shown('url') === undefined || code.location === shown('url')
  const isAmount = (centavos(code.amount) ?? 0n) === (centavos(shown('amount')) ?? 0n)
  return isAmount && code.key === shown('dict_key') && (code.txid ?? '') === (shown('tx_id') ?? '')
}

/** An amount in centavos; undefined if it has another form. */
function centavos(amount = ''): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  return whole === undefined ? undefined : BigInt(whole + decimals.padEnd(2, '0'))
}

/** Words that services show in place of a value. */
function isFilled(text: string): boolean {
  return !/^(-+|n\/a|none|nil|null|0001-01-01t00:00:00z)?$/i.test(text)
}

/** Whether an end_to_end_id names a minute near a time, in UTC: less far than Brazilian time is. */
function isMinuteOf(id: string, time: number): boolean {
  const [, year, month, day, hour, minute] =
    /^E.{8}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)[A-Za-z0-9]{11}$/.exec(id) ?? []
  return Math.abs(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) - time) < 90 * 60_000
}
