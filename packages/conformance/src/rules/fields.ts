import type { RequestContext } from '../causes/cause.ts'
import {
  fieldsOf,
  isObject,
  isSameShown,
  isSameValue,
  leavesOf,
  valueAt,
} from '../contract/json.ts'
import type { Kind, ShownRecord } from '../contract/kinds.ts'
import { findAction, findState } from '../contract/kinds.ts'
import type { Exchange, Trace } from '../model/exchange.ts'
import type { KnownRecord, PossibleValue } from '../model/records.ts'
import {
  FILLED_BY_STATUS,
  hasChanged,
  hasConcurrentWrite,
  isSureStatus,
  isWithoutEffect,
  listAutomaticStates,
  readCertainValue,
} from '../model/records.ts'
import { isSameButMasked } from '../model/tax-ids.ts'
import type { Model } from '../model.ts'
import { isSameOrMasked } from './tax-ids.ts'

/** A field of a record that a response shows, and the values that it may show. */
export interface ComparedField {
  readonly shownRecord: ShownRecord
  readonly name: string
  /** Undefined if this response shows the record for the first time. */
  readonly record: KnownRecord | undefined
  readonly allowed: readonly PossibleValue[]
  /** The last of the allowed values. */
  readonly latest: PossibleValue | undefined
  /** Whether a read shows it so soon after a write that it may lag behind. */
  readonly isLate: boolean
  /** Whether another value is wrong, since nobody else can have changed it. */
  readonly isJudged: boolean
}

/**
 * Lists the fields of records in a response of which the history knows what they may show. None if the request
 * sent a one-time value again: its response may show the record of the first one.
 *
 * @param shownRecords Default: all records of the response.
 */
export function compareFields(
  exchange: Exchange,
  model: Model,
  shownRecords: readonly ShownRecord[] = exchange.records,
): ComparedField[] {
  if (model.values.isRepeated(exchange)) return []
  return shownRecords.flatMap((shownRecord) => compareRecord(shownRecord, { exchange, model }))
}

/**
 * Lists the fields of one shown record, each with the values that it may show (`allowed`): of a code that was just
 * created and paid, `{ name: 'status', allowed: ['ATIVA', 'CONCLUIDA'] }`. None while another request may change
 * the record.
 */
function compareRecord(shownRecord: ShownRecord, context: RequestContext): ComparedField[] {
  const { exchange, model } = context
  const record = model.records.find(shownRecord.kind, shownRecord.id)
  if (record && mayChangeMeanwhile(record, exchange)) return []

  const expected = model.records.findExpectedFields(exchange, shownRecord)
  const comparableNames = listComparableNames(shownRecord, { record, expected, exchange })
  const compared: ComparedField[] = []
  for (const [name, allowed] of expected) {
    if (!comparableNames.has(name)) continue

    const latest = allowed.at(-1)
    const isLate = record !== undefined && mayShowEarlierValue(latest, record, context)
    // In an incomplete history, others may have changed any value but one that this request sends.
    const isJudged = model.isComplete || latest?.by === exchange.trace
    compared.push({ shownRecord, name, record, allowed, latest, isLate, isJudged })
  }
  return compared
}

/** Whether a record may have been deleted, or another request may change it at the same time. */
function mayChangeMeanwhile(record: KnownRecord, exchange: Exchange): boolean {
  const mayBeDeleted = record.presence !== 'there'
  return mayBeDeleted || hasConcurrentWrite(exchange, record)
}

/**
 * Whether a read may show an earlier value of a field, since it came so soon after a write that it may lag behind.
 */
function mayShowEarlierValue(
  latest: PossibleValue | undefined,
  record: KnownRecord,
  context: RequestContext,
): boolean {
  // A field that still has the value of the creation has no earlier one. The time tells which request showed it.
  const isOfCreation = latest !== undefined && latest.by.completeAt === record.created?.completeAt
  if (isOfCreation) return false

  return hasChanged(record) && mayLag(record, context)
}

interface ComparisonContext {
  readonly record: KnownRecord | undefined
  readonly expected: KnownRecord['fields']
  readonly exchange: Exchange
}

/**
 * Lists the names of the shown fields that can be compared, such as `amount`. Left out are those that change by
 * themselves, such as `updated_at`, and those that a new state may fill, such as `payment`.
 */
function listComparableNames(
  shownRecord: ShownRecord,
  { record, expected, exchange }: ComparisonContext,
): ReadonlySet<string> {
  const comparable = new Set(Object.keys(shownRecord.fields))

  for (const pointer of listChangingFields(shownRecord, record, exchange))
    comparable.delete(pointer.slice(1))

  // A word that the contract does not have says nothing of the state.
  if (hasUnknownState(shownRecord)) comparable.delete('status')

  for (const name of Object.keys(shownRecord.fields))
    if (mayBeFilledByMove(name, shownRecord, expected)) comparable.delete(name)

  if (isSureStatus(shownRecord, expected)) return comparable

  for (const name of FILLED_BY_STATUS) comparable.delete(name)
  return comparable
}

/**
 * Whether a field was empty before the record moved to another state, which may fill it: a service may show when a
 * charge was paid or cancelled in a field that is null until then.
 */
function mayBeFilledByMove(
  name: string,
  { kind, fields }: ShownRecord,
  expected: KnownRecord['fields'],
): boolean {
  const latest = expected.get(name)?.at(-1)
  const hasStates = kind.resource.status !== undefined
  if (!hasStates || name === 'status' || !latest || latest.isSent) return false

  const wasEmpty = latest.value === null || latest.value === ''
  if (!wasEmpty) return false

  const states = expected.get('status') ?? []
  const hasMovedSince = states.some(({ by }) => by.completeAt > latest.by.completeAt)
  const isInOtherState = !states.some(({ value }) => value === fields.status)
  return hasMovedSince || isInOtherState
}

/** Whether a request reads a record so soon after a write that the response may lag behind. */
export function mayLag(
  record: Pick<KnownRecord, 'changedAt'>,
  { exchange, model }: RequestContext,
): boolean {
  return exchange.operation?.effect === 'read' && model.records.isRecent(record, exchange)
}

/** Whether a record shows a state that the contract does not declare, and nothing explains. */
function hasUnknownState({ kind, fields }: ShownRecord): boolean {
  return kind.resource.states !== undefined && findState(kind, fields.status) === undefined
}

/**
 * Lists the pointers of fields that may show another value although no request changed them: `['/updated_at',
 * '/revision', '/secret']`. The version of the record, `/revision` or else `/updated_at`, is one of them only if the
 * record may have changed.
 */
function listChangingFields(
  shownRecord: ShownRecord,
  record: KnownRecord | undefined,
  exchange: Exchange,
): readonly string[] {
  const { volatile = [], touched } = shownRecord.kind.resource
  // The rule once-issued judges the secret, which a rotation replaces.
  const changing = [...volatile, '/secret']
  if (!record) return changing

  const versionField = touched?.revision ? 'revision' : 'updated_at'
  if (mayHaveNewVersion(versionField, { shownRecord, record, exchange })) return changing
  return changing.filter((pointer) => pointer !== `/${versionField}`)
}

/** Finds the last exchange that showed or sent a field of a record; undefined if none did. */
export function findLastTrace({ fields }: KnownRecord, name: string): Trace | undefined {
  return fields.get(name)?.at(-1)?.by
}

/** Finds when a field of a record was last shown or sent; 0 if it never was. */
export function findShownTime(record: KnownRecord, name: string): number {
  return findLastTrace(record, name)?.completeAt ?? 0
}

interface ShownAgain {
  readonly shownRecord: ShownRecord
  readonly record: KnownRecord
  readonly exchange: Exchange
}

/**
 * Whether the revision of a record, or the time of its last update, may be another one than it last showed: the
 * record is in another state, this request changes it, or another one has since.
 */
function mayHaveNewVersion(
  versionField: 'revision' | 'updated_at',
  { shownRecord, record, exchange }: ShownAgain,
): boolean {
  const state = readCertainValue(record, 'status')
  const mayBeInOtherState = state === undefined || shownRecord.fields.status !== state
  if (mayBeInOtherState || changesRecord(exchange, record)) return true

  // An update without effect may move the time, but not the revision.
  const isWrite = exchange.operation?.effect !== 'read'
  if (versionField === 'updated_at' && isWrite) return true

  const lastShownAt = findShownTime(record, versionField)
  return record.changedAt > lastShownAt
}

/**
 * Whether a field shows one of its allowed values: one that an earlier response showed, or one that a request sent,
 * which may be written in another way. The status may also show a state that the service moves the record to by
 * itself, such as `settled` after `pending`.
 */
export function isAllowedValue(field: ComparedField, exchange: Exchange): boolean {
  const { shownRecord, name, allowed } = field
  const value = shownRecord.fields[name]
  if (name === 'status' && isAllowedStatus(value, field)) return true

  return allowed.some((option) => {
    if (option.isSent) return isShownAsSent(option.value, field, exchange)
    return isSameShownOrMasked(option.value, value, `/${name}`)
  })
}

/**
 * Whether two responses show one value at a place, such as `/payer`. A tax ID in it may be masked in one of them:
 * `{ tax_id: '***.444.777-**' }` and `{ tax_id: '11144477735' }`.
 */
export function isSameShownOrMasked(earlier: unknown, shown: unknown, pointer: string): boolean {
  if (isSameShown(earlier, shown) || isSameButMasked(pointer, earlier, shown)) return true
  if (!isObject(earlier) || !isObject(shown)) return false

  // The names of both. A field that one of them lacks must not differ.
  const names = Object.keys({ ...earlier, ...shown })
  return names.every((name) =>
    isSameShownOrMasked(earlier[name], shown[name], `${pointer}/${name}`),
  )
}

function isAllowedStatus(status: unknown, { shownRecord, allowed }: ComparedField): boolean {
  if (allowed.some((option) => option.value === status)) return true
  return listAutomaticStates(shownRecord.kind, allowed).includes(status)
}

/**
 * Whether a field shows what a request sent. Each value inside (a leaf, such as `/amount/original`) is compared, unless
 * it is empty, or the contract does not declare that the response shows it.
 */
function isShownAsSent(
  sent: unknown,
  { shownRecord, name }: Pick<ComparedField, 'shownRecord' | 'name'>,
  exchange: Exchange,
): boolean {
  return leavesOf(sent, `/${name}`).every((leaf) => isLeafAsSent(leaf, shownRecord, exchange))
}

/**
 * Whether a record shows a value that a request sent, maybe in another notation. True if it cannot be
 * compared: it has no value, or the response does not declare it.
 *
 * @param leaf The pointer of a value in the record, such as `/amount/original`, and the value sent.
 */
export function isLeafAsSent(
  [pointer, leaf]: readonly [pointer: string, leaf: unknown],
  { fields, at }: ShownRecord,
  { operation, status }: Exchange,
): boolean {
  const shown = valueAt(fields, pointer)
  // A field that was left out must not be there.
  if (leaf === undefined) return shown === undefined

  const hasNoValue = leaf === null || leaf === '' || typeof leaf === 'object'
  if (hasNoValue) return true
  // An unpaired surrogate has no defined form (RFC 8259, section 8.2).
  if (!String(leaf).isWellFormed()) return true

  // Whether the contract says that this response shows the field.
  const isDeclared = operation?.field(status, `${at}${pointer}`) !== undefined
  if (!isDeclared) return true
  return isSameOrMasked(pointer, leaf, shown)
}

/**
 * Whether a request certainly changes its record: it is a cancellation that moves the record to another state, or
 * an update that sends a new value of a field.
 */
export function changesRecord(exchange: Exchange, record: KnownRecord): boolean {
  const action = findAction(record.kind, exchange.operation?.id)
  if (action === 'cancel') {
    // Of an unknown state, the cancellation may have no effect.
    const isStateKnown = readCertainValue(record, 'status') !== undefined
    return isStateKnown && !isWithoutEffect(exchange, record)
  }
  return action === 'update' && sendsNewValue(exchange, record)
}

/** Whether a request sends a field with another value than it may have now. Fields of unknown values do not count. */
function sendsNewValue({ requestBody }: Exchange, record: KnownRecord): boolean {
  for (const [name, value] of Object.entries(fieldsOf(requestBody))) {
    const allowed = record.fields.get(name)
    if (allowed && !mayShow(allowed, value)) return true
  }
  return false
}

/** Whether one of these values is this one. */
export function mayShow(allowed: readonly PossibleValue[] = [], value: unknown): boolean {
  return allowed.some((option) => isSameValue(option.value, value))
}

/**
 * Finds the operation that may have changed this record when it wrote another one of its kind, such as `updateWebhook`
 * of another webhook: the last write since the record was shown. Undefined if there was none, or if this request is no
 * read.
 *
 * @param since When the record was last shown; undefined if it never was.
 */
export function findInterferingWrite(
  since: number | undefined,
  kind: Kind,
  { exchange, model }: RequestContext,
): string | undefined {
  const isRead = exchange.operation?.effect === 'read'
  if (!isRead || since === undefined) return undefined

  const lastWrite = model.records.lastWrite(kind)
  const isSince = lastWrite !== undefined && lastWrite.sentAt >= since
  return isSince ? lastWrite.operation : undefined
}

/** No fact says how a value is written. */
export const NOTATION_QUESTION = { question: 'values-shown' }
