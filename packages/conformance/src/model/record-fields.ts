import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, stringAt, valueAt, withValue } from '../contract/json.ts'
import {
  fieldName,
  findActionOrPayment,
  findState,
  findTransition,
  isCharge,
  type Kind,
  type ShownRecord,
} from '../contract/kinds.ts'
import type { Exchange, Trace } from './exchange.ts'
import {
  FILLED_BY_STATUS,
  hasConcurrentWrite,
  isSureStatus,
  type KnownRecord,
  listPossibleValues,
  PAYMENT,
  type PossibleValue,
  toComparableNumber,
} from './records.ts'

/** What the fields of a record may show after a write, and after a response has shown them. */

type Fields = KnownRecord['fields']

/**
 * The values that each field of a record may show after a write that names the record and was not
 * refused. After an update with `{ url: 'b' }`, `url` shows `b`. If the write may not have taken effect, or has it
 * later, as a payment, the values from before stay allowed: `status` may show `ATIVA` or `CONCLUIDA`.
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

  const isEffectCertain = hasCertainEffect(exchange, action, record)
  // Such as `{ name: 'url', newValue: { value: 'b', … } }`.
  for (const { name, newValue } of listSetValues(exchange, action, record)) {
    const before = fields.get(name)
    if (isEffectCertain) fields.set(name, [newValue])
    // A field that was not shown before stays unknown.
    else if (before) fields.set(name, addNewest(before, newValue))
  }

  // A field without an entry may show anything.
  for (const name of listFieldsOpenAfter(action, record)) fields.delete(name)
  if (action === 'create' || action === 'update') {
    for (const name of listFieldsSentUnseen(exchange, fields)) fields.delete(name)
  }
  return fields
}

/**
 * The values that each field of a charge may show after its payment, which has its effect only when it settles:
 * `status` may show `ATIVA` or `CONCLUIDA`, and `payment` anything.
 *
 * @param by The payment.
 */
export function fieldsAfterPayment(record: KnownRecord, by: Trace): Fields {
  const fields = new Map(record.fields)
  const setValues = listSetValues({ requestBody: undefined, trace: by }, 'pay', record)
  for (const { name, newValue } of setValues)
    fields.set(name, addNewest(fields.get(name) ?? [], newValue))

  for (const name of listFieldsOpenAfter('pay', record)) fields.delete(name)
  return fields
}

/** The names of the fields of which nobody knows what they show after an action such as a payment. */
function listFieldsOpenAfter(
  action: string | undefined,
  record: KnownRecord | undefined,
): string[] {
  const names: string[] = []
  // Once a payment settles, the record has a `payment` that no request has shown before.
  if (action === 'pay') names.push(PAYMENT)
  if (record && makesStateUnknown(record, action)) names.push('status')
  return names
}

/**
 * Whether a write certainly had its effect when its response came. Not a payment, which has it when it settles, nor
 * a write without a response, nor one beside another write to the same record.
 */
function hasCertainEffect(
  exchange: Exchange,
  action: string | undefined,
  record: KnownRecord | undefined,
): boolean {
  if (exchange.outcome === 'unknown') return false
  if (action === 'pay') return false

  const isNewRecord = record === undefined
  return isNewRecord || !hasConcurrentWrite(exchange, record)
}

/** Adds a value that a field may show now, as the newest one, which is the last: `['a']` and `b` give `['a', 'b']`. */
function addNewest(
  before: readonly PossibleValue[],
  newValue: PossibleValue,
): readonly PossibleValue[] {
  const others = before.filter(({ value }) => !isDeepStrictEqual(value, newValue.value))
  return [...others, newValue]
}

/** A field that a write sets, and its new value. */
interface SetValue {
  readonly name: string
  readonly newValue: PossibleValue
}

/**
 * The values that an accepted action sets. Those of a creation or an update are in the request. Any other
 * action moves the record to another state: a payment sets `status` to `CONCLUIDA`.
 */
function listSetValues(
  { requestBody, trace }: Pick<Exchange, 'requestBody' | 'trace'>,
  action: string | undefined,
  record: KnownRecord | undefined,
): readonly SetValue[] {
  if (action === 'create' || action === 'update') return listSentValues(requestBody, trace)
  if (!record) return []

  // Where the action leads from each state that the record may have.
  const setValues: SetValue[] = []
  for (const state of listPossibleValues(record, 'status')) {
    const nextState = findTransition(record.kind, state, action)?.to
    if (nextState === undefined) continue
    setValues.push({ name: 'status', newValue: { value: nextState, by: trace } })
  }
  return setValues
}

/**
 * Whether nobody knows the state of a record after an action such as a cancellation: the record may be in
 * a state that the contract does not declare, such as `EM_PROCESSAMENTO`, and nothing says where the action leads from
 * there. False of actions that change no state.
 */
function makesStateUnknown(record: KnownRecord, action: string | undefined): boolean {
  const { kind } = record
  const declaredStates = Object.keys(kind.resource.states ?? {})
  // Such as a cancellation, which leads from `ATIVA` to another state. An update leads nowhere.
  const changesState = declaredStates.some((state) => findTransition(kind, state, action))
  if (!changesState) return false

  const possibleStates = listPossibleValues(record, 'status')
  return possibleStates.some((state) => findState(kind, state) === undefined)
}

/** The values that a creation or an update sends: of `{ url: 'b' }`, `[{ name: 'url', newValue: { value: 'b', … } }]`. */
function listSentValues(requestBody: unknown, by: Trace): readonly SetValue[] {
  const sentFields = fieldsOf(withoutUnusedAmount(requestBody))
  const setValues: SetValue[] = []
  for (const [name, value] of Object.entries(sentFields)) {
    // A transfer shows the beneficiary that was looked up, not the one that was sent.
    if (name === 'beneficiary') continue
    setValues.push({ name, newValue: { value, by, isSent: true } })
  }
  return setValues
}

/**
 * A body without `/amount/discount/amount` if the discount is one by date (modalities 1 and 2): such a discount has
 * an amount for each date, so that this one has no meaning. Any other body stays as it is.
 */
function withoutUnusedAmount(sent: unknown): unknown {
  const discount = fieldsOf(valueAt(sent, '/amount/discount'))
  const isByDate = discount.modality === '1' || discount.modality === '2'
  if (!isByDate) return sent
  return withValue(sent, '/amount/discount', { ...discount, amount: undefined })
}

/** The names of the fields for which a request may have sent values that the history does not have. */
function listFieldsSentUnseen({ unknown }: Exchange, fields: Fields): string[] {
  // The empty pointer is the whole body.
  const isWholeBodyUnknown = unknown.requestBody.includes('')
  return isWholeBodyUnknown ? [...fields.keys()] : unknown.requestBody.map(fieldName)
}

/**
 * Whether a request may pay a payment code, and whether the history has that code. A recorder may have left it out:
 * then it may be that of any charge.
 */
export type CodePayment = 'none' | 'known code' | 'unknown code'

/** Reads whether a request may pay a payment code: `none` of other requests, and of refused ones. */
export function readPayment(exchange: Exchange): CodePayment {
  const { operation, outcome, requestBody, unknown } = exchange
  if (operation?.id !== 'createTransfer' || outcome === 'refused') return 'none'

  const paysKey = stringAt(requestBody, '/type') === 'dict'
  if (paysKey) return 'none'

  // The empty pointer is the whole body.
  const isCodeUnknown = unknown.requestBody.includes('') || unknown.requestBody.includes('/emv')
  return isCodeUnknown ? 'unknown code' : 'known code'
}

/**
 * Whether a payment may pay a charge without the history showing it: the code in the payment, or that of the
 * charge, is missing in the history.
 */
export function mayPayUnseen(
  payment: CodePayment,
  { kind, fields }: Pick<KnownRecord, 'kind' | 'fields'>,
): boolean {
  if (payment === 'none' || !isCharge(kind)) return false
  return payment === 'unknown code' || !fields.has('emv')
}

/** A response that shows a record. */
interface RecordLook {
  /** What the fields were expected to show. */
  readonly expected: Fields
  readonly shown: ShownRecord
  /** Whether it is a read that may lag behind a write. */
  readonly mayLag: boolean
  readonly by: Trace
}

/**
 * The values that each field of a record may show after a response has shown the record. A shown value
 * replaces those that were expected: where `status` was `ATIVA` or `CONCLUIDA`, and `CONCLUIDA` is shown, only that is
 * left. A value that may be from before the last write, such as `ATIVA` here, changes nothing.
 */
export function fieldsAfterLook(look: RecordLook): Fields {
  const { expected, shown, by } = look
  const fields = new Map(expected)
  for (const [name, value] of Object.entries(shown.fields)) {
    if (isFromAfterLastWrite(name, value, look)) fields.set(name, [{ value, by }])
  }

  // Such as `payment`, which only a paid charge has.
  const isStatusSure = isSureStatus(shown, fields)
  for (const name of FILLED_BY_STATUS) {
    const value = shown.fields[name]
    // While the record may be in another state than it shows, it may show anything there.
    if (!isStatusSure) fields.delete(name)
    // If the record is in the state that it shows, such a field is not outdated either.
    else if (value !== undefined) fields.set(name, [{ value, by }])
  }
  return fields
}

/** Whether a shown value is certainly that of the record now, and not one from before the last write. */
function isFromAfterLastWrite(
  name: string,
  value: unknown,
  { expected, shown, mayLag }: RecordLook,
): boolean {
  const allowed = expected.get(name) ?? []
  // A write without a response may have its effect later.
  if (isOlderValue(value, allowed)) return false
  // A read that lags shows the record as it was before an accepted write.
  if (mayLag && mayBeOutdated(name, value, { kind: shown.kind, allowed })) return false
  return true
}

/**
 * Whether a value is an expected one from before the newest write. Such a write has an unknown outcome,
 * and may act later: its value, the last one, stays possible.
 */
function isOlderValue(value: unknown, allowed: readonly PossibleValue[]): boolean {
  const olderValues = allowed.slice(0, -1)
  return hasValue(olderValues, value)
}

function hasValue(allowed: readonly PossibleValue[], value: unknown): boolean {
  return allowed.some((one) => isDeepStrictEqual(one.value, value))
}

/**
 * Whether a value of a read that lags may be one from before the last write. False of an expected value, and if
 * nothing is known of the field. Also false of a revision, or a time of change, that is higher than those known:
 * these only rise.
 *
 * @param allowed The values that the field may show after the last write.
 */
function mayBeOutdated(
  name: string,
  value: unknown,
  { kind, allowed }: { readonly kind: Kind; readonly allowed: readonly PossibleValue[] },
): boolean {
  const isFieldUnknown = allowed.length === 0
  if (isFieldUnknown || hasValue(allowed, value)) return false

  const onlyRises = kind.resource.volatile?.includes(`/${name}`) === true
  const isNewer = onlyRises && isHigherThanAll(value, allowed)
  return !isNewer
}

function isHigherThanAll(value: unknown, others: readonly PossibleValue[]): boolean {
  const number = toComparableNumber(value)
  return others.every((other) => number > toComparableNumber(other.value))
}

/**
 * The names of the fields whose values in a response are missing in the history, such as values that a recording
 * replaced by `***`, by the pointer of the record that has them: the pointer `/data/0/payer/name` belongs to `payer` of
 * the record at `/data/0`.
 */
export function groupUnknownFields({
  unknown,
  records,
}: Exchange): ReadonlyMap<string, readonly string[]> {
  const namesByRecord = new Map<string, string[]>(records.map(({ at }) => [at, []]))
  for (const pointer of unknown.responseBody) {
    // Goes up through what the value is inside of: asking each record about each value takes seconds.
    for (let at = parentOf(pointer); at !== undefined; at = parentOf(at)) {
      namesByRecord.get(at)?.push(fieldName(pointer.slice(at.length)))
    }
  }
  return namesByRecord
}

/** The pointer to what has the value at a pointer: `/data/0` for `/data/0/payer`. Undefined for the whole body. */
function parentOf(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'))
}

/** Fields without those of some names. */
export function withoutFields(fields: Fields, names: readonly string[]): Fields {
  const others = new Map(fields)
  for (const name of names) others.delete(name)
  return others
}
