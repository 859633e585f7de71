import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, stringAt, valueAt, withValue } from '../contract/json.ts'
import {
  fieldName,
  findActionOrPayment,
  findState,
  type Kind,
  type ShownRecord,
} from '../contract/kinds.ts'
import type { Exchange, Trace } from './exchange.ts'
import {
  type Allowed,
  FILLED_BY_STATUS,
  hasConcurrentWrite,
  isSureStatus,
  type KnownRecord,
  PAYMENT,
  toComparableNumber,
} from './records.ts'

/** What the fields of a record may show after a write, and after a response has shown them. */

type Fields = KnownRecord['fields']

/**
 * The values that each field of a record may show after a write that names the record and was not
 * refused: `status` may show `CONCLUIDA` after a payment. If the write may not have taken effect, the
 * values from before stay allowed.
 *
 * @param record What was known of it before; undefined if nothing was.
 */
export function fieldsAfterWrite(
  exchange: Exchange,
  kind: Kind,
  record: KnownRecord | undefined,
): Fields {
  const action = findActionOrPayment(kind, exchange.operation?.id)
  const fields = new Map(record?.fields)
  // A payment changes the record whose code it pays, at once or when it settles.
  const isPayment = action === 'pay'
  // Once it settles, the record has a `payment` that no request has shown before.
  if (isPayment) fields.delete(PAYMENT)

  const isBesideOthers = record !== undefined && hasConcurrentWrite(exchange, record)
  const isUnsure = exchange.outcome === 'unknown' || isPayment || isBesideOthers
  // The new status of a cancellation or a payment is declared; other values are in the request.
  const isSent = action !== 'cancel' && !isPayment
  for (const [name, value] of listSetValues(exchange, action, record)) {
    const newValue: Allowed = isSent
      ? { value, by: exchange.trace, isSent: true }
      : { value, by: exchange.trace }
    const before = fields.get(name)
    if (!isUnsure) fields.set(name, [newValue])
    // Of a field that was not shown before, an unsure write makes no value known. The newest is last.
    else if (before) fields.set(name, [...withoutValue(before, value), newValue])
  }

  const isWrite = action === 'create' || action === 'update'
  if (isWrite) for (const name of unknownFieldsOfRequest(exchange, fields)) fields.delete(name)
  return fields
}

function withoutValue(allowed: readonly Allowed[], value: unknown): readonly Allowed[] {
  return allowed.filter((other) => !isDeepStrictEqual(other.value, value))
}

/**
 * The values that an accepted action sets, as pairs of field and value. Those of a creation or an update
 * are in the request. Any other action moves the record on: `['status', 'CONCLUIDA']` for each state that
 * can be paid.
 */
function listSetValues(
  { requestBody }: Exchange,
  action = '',
  record?: KnownRecord,
): readonly (readonly [name: string, value: unknown])[] {
  if (action === 'create' || action === 'update') {
    const fields = Object.entries(fieldsOf(withoutUnusedAmount(requestBody)))
    // A transfer shows the beneficiary that was looked up, not the one that was sent.
    return fields.filter(([name]) => name !== 'beneficiary')
  }

  if (!record) return []
  const statuses: [string, unknown][] = []
  for (const { value } of record.fields.get('status') ?? []) {
    const nextState = findState(record.kind, value)?.on?.[action]?.to
    if (nextState !== undefined) statuses.push(['status', nextState])
  }
  return statuses
}

/** A body without the amount of a discount by date (modality 1 and 2), which has one for each date. */
function withoutUnusedAmount(sent: unknown): unknown {
  const discount = fieldsOf(valueAt(sent, '/amount/discount'))
  const isByDate = discount.modality === '1' || discount.modality === '2'
  if (!isByDate) return sent
  return withValue(sent, '/amount/discount', { ...discount, amount: undefined })
}

/** The names of the fields that a request may have changed to values that are not known. */
function unknownFieldsOfRequest({ unknown: { requestBody } }: Exchange, fields: Fields): string[] {
  const isWholeBodyUnknown = requestBody.includes('')
  return isWholeBodyUnknown ? [...fields.keys()] : requestBody.map(fieldName)
}

/**
 * Whether a transfer may pay a charge without our seeing it: the code in the transfer, or that of the
 * charge, is missing in the history.
 */
export function mayPay(exchange: Exchange, record: Pick<KnownRecord, 'kind' | 'fields'>): boolean {
  const payment = readPayment(exchange)
  return payment !== undefined && mayBePaid(record, payment)
}

/** What is known of the payment of a code. */
export interface CodePayment {
  readonly isCodeUnknown: boolean
}

/** Reads the payment of a code; undefined if a request makes none. */
export function readPayment(exchange: Exchange): CodePayment | undefined {
  const { operation, outcome, requestBody, unknown } = exchange
  const isPayment = operation?.id === 'createTransfer' && outcome !== 'refused'
  if (!isPayment || stringAt(requestBody, '/type') === 'dict') return undefined
  return { isCodeUnknown: unknown.requestBody.includes('') || unknown.requestBody.includes('/emv') }
}

/** Whether a charge may be the one that is paid, since one of both codes is not known. */
export function mayBePaid(
  { kind, fields }: Pick<KnownRecord, 'kind' | 'fields'>,
  { isCodeUnknown }: CodePayment,
): boolean {
  const isCharge = kind.resource.operations.cancel !== undefined
  return isCharge && (isCodeUnknown || !fields.has('emv'))
}

/** A response that shows a record. */
interface Sight {
  /** What the fields were expected to show. */
  readonly expected: Fields
  readonly shown: ShownRecord
  /** Whether it is a read that may lag behind a write. */
  readonly mayLag: boolean
  readonly by: Trace
}

/**
 * The values that each field of a record may show after a response has shown the record. A shown value
 * replaces those that were expected, unless it may be an old one.
 */
export function fieldsAfterSight({ expected, shown, mayLag, by }: Sight): Fields {
  const fields = new Map(expected)
  for (const [name, value] of Object.entries(shown.fields)) {
    const allowed = expected.get(name) ?? []
    // The last value is that of the newest write. With an unknown outcome, it may act later: a read that
    // shows an older value does not rule its value out.
    const isOlderValue = allowed.slice(0, -1).some((one) => isDeepStrictEqual(one.value, value))
    const isLagging = mayLag && mayBeOutdated(name, value, { kind: shown.kind, allowed })
    if (!isOlderValue && !isLagging) fields.set(name, [{ value, by }])
  }

  // While a record may be in another state than it shows, nobody knows what these fields show.
  const isSure = isSureStatus(shown, fields)
  for (const name of FILLED_BY_STATUS) {
    const value = shown.fields[name]
    if (!isSure) fields.delete(name)
    else if (value !== undefined) fields.set(name, [{ value, by }])
  }
  return fields
}

/**
 * Whether a value may be one from before the last write. A read lags if the service responds from a
 * copy that has not got the last write yet.
 *
 * @param allowed The values that the field may show after the last write.
 */
function mayBeOutdated(
  name: string,
  value: unknown,
  { kind, allowed }: { readonly kind: Kind; readonly allowed: readonly Allowed[] },
): boolean {
  const isExpected = allowed.some((one) => isDeepStrictEqual(one.value, value))
  // Without a known value, none is outdated.
  if (allowed.length === 0 || isExpected) return false

  // A volatile field only rises.
  const isVolatile = kind.resource.volatile?.includes(`/${name}`)
  const isNewer =
    isVolatile && allowed.every((one) => toComparableNumber(value) > toComparableNumber(one.value))
  return !isNewer
}

/**
 * The fields without those whose values in a response are missing in the history, such as values that a
 * recording replaced by `***`.
 */
export function withoutUnknownFields(
  fields: Fields,
  { unknown }: Exchange,
  { at: recordPointer }: ShownRecord,
): Fields {
  const pointers = unknown.responseBody.filter((pointer) => pointer.startsWith(`${recordPointer}/`))
  if (pointers.length === 0) return fields

  const names = pointers.map((pointer) => fieldName(pointer.slice(recordPointer.length)))
  return new Map([...fields].filter(([name]) => !names.includes(name)))
}
