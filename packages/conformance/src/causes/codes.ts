import { tryDecode } from '@partner-payments/brcode'
import { stringAt, timeAt, valueAt } from '../contract/json.ts'
import {
  type AmountDue,
  amountDue,
  type ChargeAmount,
  centavosOf,
  dayAt,
  payableUntil,
} from '../model/amounts.ts'
import { isBeside, type KnownRecord, sureValue } from '../model/records.ts'
import { chargeUse } from '../model/values.ts'
import type { Model } from '../model.ts'
import { type Cause, excluded, met, type Requested, spanOf, those } from './cause.ts'
import { isRejected, isUsedUp } from './once.ts'

/** Why a payment code may be refused: it cannot be decoded, or its charge can no longer be paid. */
export function codeCauses(requested: Requested): Cause[] {
  const emv = stringAt(requested.exchange.sent, '/emv')
  if (emv === undefined) return []
  if (!tryDecode(emv, { profile: 'lenient' }).ok)
    return [met('invalid_code', 'a code that cannot be decoded')]
  const record = chargeOf(emv, requested)
  const isKnown = record !== undefined || staticCode(emv) !== undefined
  return [
    ...those([[isKnown, excluded('invalid_code', 'a code that can be decoded')]]),
    ...(record ? chargeCauses(record, requested) : []),
  ]
}

/** The record of a dynamic code, if nothing changes it at the same time. */
export function chargeOf(emv: string, { exchange, model }: Requested): KnownRecord | undefined {
  const [record, other] = model.records.withCode(emv)
  const isSure = record && !other && record.kind.resource.states && !isBeside(exchange, record)
  return isSure ? record : undefined
}

function chargeCauses(record: KnownRecord, requested: Requested): Cause[] {
  const isPaid = paymentOf(record, requested.model)
  const statuses = record.fields.get('status') ?? []
  // Payments that were all rejected leave a charge as it was.
  const [state, other] = statuses.filter(({ value }) => isPaid !== false || value !== 'CONCLUIDA')
  const status = other ? undefined : state?.value
  const more = isCheck(requested)
    ? { question: 'code-status-values' }
    : ({ isJudgedElsewhere: true } as const)
  if (status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    return [met('code_cancelled', 'a cancelled charge', more)]
  if (status === 'CONCLUIDA' || isPaid) return [met('code_paid', 'a paid charge', more)]
  if (status !== 'ATIVA' || isPaid === undefined) return []
  const open = ['code_cancelled', 'code_paid'].map((code) => excluded(code, 'an open charge'))
  return [...open, ...expiredCauses(record, requested)]
}

function isCheck({ exchange }: Requested): boolean {
  return exchange.operation?.id === 'checkCode'
}

/** Whether an accepted transfer has paid a charge; undefined if that is not known. */
function paymentOf(record: KnownRecord, model: Model): boolean | undefined {
  const known = model.values.known(chargeUse(String(sureValue(record, 'emv'))), { by: undefined })
  if (!known || (known.unknown.length === 0 && known.accepted.every((it) => isRejected(it, model))))
    return false
  return known.accepted.some((it) => isUsedUp(it, model)) || undefined
}

/** Whether a charge has expired when a request is sent. */
export function isExpired(record: KnownRecord, requested: Requested): boolean {
  return expiredCauses(record, requested).some(({ applies }) => applies)
}

function expiredCauses(record: KnownRecord, requested: Requested): Cause[] {
  const expired = (applies: boolean) => ({
    ...{ code: 'code_expired', applies },
    says: `a code ${applies ? 'after' : 'before'} its end`,
  })
  const { from, to } = spanOf(requested)
  if (record.kind.name === 'dueDateQrCode') {
    const last = lastDay(record)
    const [first, second] = [dayAt(from), dayAt(to)]
    if (last === undefined || first > last !== second > last) return []
    const isShown = first > last && isCheck(requested)
    return [
      { ...expired(first > last), question: isShown ? 'code-status-values' : 'due-date-fields' },
    ]
  }
  const end = endOf(record)
  if (end === undefined || from > end !== to > end) return []
  const question = from > end && isCheck(requested) ? { question: 'code-status-values' } : {}
  return [{ ...expired(from > end), ...question }]
}

/** The last day on which a due-date charge can be paid. */
function lastDay(record: KnownRecord): string | undefined {
  const calendar = sureValue(record, 'calendar')
  const [due, days] = [stringAt(calendar, '/due_date'), valueAt(calendar, '/expiration_days')]
  return due !== undefined && typeof days === 'number' && days < 10_000 && isDay(due)
    ? payableUntil(due, days)
    : undefined
}

/** When an immediate charge expires. */
export function endOf(record: KnownRecord): number | undefined {
  const created =
    timeAt({ created_at: sureValue(record, 'created_at') }, '/created_at') ??
    record.created?.trace.time
  const seconds = valueAt(sureValue(record, 'calendar'), '/expiration')
  return created !== undefined && typeof seconds === 'number' ? created + seconds * 1000 : undefined
}

/**
 * The amount that a payment code fixes now, in centavos; undefined if it fixes none, or if that is
 * not known.
 */
export function amountOf(emv: string, requested: Requested): bigint | undefined {
  const fixed = staticCode(emv)
  if (fixed) return centavosOf(fixed.amount) || undefined
  const record = chargeOf(emv, requested)
  return record && partsOf(record, requested)?.final_amount
}

/** The parts of the amount of a charge on the day of a request, by the request that created it. */
export function partsOf(
  { created, kind }: KnownRecord,
  requested: Requested,
): AmountDue | undefined {
  const amount = valueAt(created?.sent, '/amount') as ChargeAmount | undefined
  const original = centavosOf(amount?.original)
  if (original === undefined || amount === undefined) return undefined
  const { from, to } = spanOf(requested)
  const day = dayAt(from)
  if (kind.name === 'immediateQrCode') return amountDue({ original: amount.original }, day, day)
  const due = stringAt(created?.sent, '/calendar/due_date')
  if (due === undefined || !isDay(due) || due > '2200' || day !== dayAt(to)) return undefined
  const parts = amountDue(amount, due, day)
  // The standard does not say what reductions of more than the amount leave.
  return parts.deduction + parts.discount < original ? parts : undefined
}

function staticCode(emv: string) {
  const read = tryDecode(emv, { profile: 'lenient' })
  return read.ok && read.code.kind === 'static' ? read.code : undefined
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}
