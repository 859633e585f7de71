import type { RequestContext } from '../causes/cause.ts'
import { fieldsOf, isSameShown, isSameValue, leavesOf, valueAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import { findAction, findState } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Allowed, KnownRecord } from '../model/records.ts'
import {
  FILLED_BY_STATUS,
  isBeside,
  isSureStatus,
  isWithoutEffect,
  ownTransitions,
  sureValue,
} from '../model/records.ts'
import type { Model } from '../model.ts'

/** A field that a response shows, and what it may show. */
export interface ComparedField {
  readonly shown: ShownRecord
  readonly name: string
  readonly record: KnownRecord | undefined
  readonly allowed: readonly Allowed[]
  readonly latest: Allowed | undefined
  /** Whether a read shows it so soon after a write that it may lag behind. */
  readonly isLate: boolean
  /** Whether another value is wrong, since nobody else can have changed it. */
  readonly isJudged: boolean
}

/** The fields of all records in a response about which something is known. */
export function compareFields(exchange: Exchange, model: Model): ComparedField[] {
  if (model.values.isRepeated(exchange)) return []
  return exchange.records.flatMap((shown) => compareRecord(shown, { exchange, model }))
}

function compareRecord(shown: ShownRecord, { exchange, model }: RequestContext): ComparedField[] {
  const record = model.records.find(shown.kind, shown.id)
  const isUnsure = record && (record.isGone !== false || isBeside(exchange, record))
  if (isUnsure) return []

  // A read that lags shows what a record was before. One that was only created was nothing else.
  const isChanged = record !== undefined && record.changedAt !== record.created?.completeAt
  const isLate = isChanged && mayLag(record, { exchange, model })

  const changing = changingFields(shown, record, exchange)
  const expected = model.records.expected(exchange, shown)
  const compared: ComparedField[] = []
  for (const [name, allowed] of expected) {
    if (!Object.hasOwn(shown.fields, name) || changing.includes(`/${name}`)) continue
    // A word that the contract does not have says nothing of the state.
    const isUnknownState = name === 'status' && hasUnknownState(shown)
    if (isUnknownState) continue
    // These fields change with the status.
    const isOfOtherState = FILLED_BY_STATUS.has(name) && !isSureStatus(shown, expected)
    if (isOfOtherState) continue

    const latest = allowed.at(-1)
    const isJudged = model.isComplete || latest?.by === exchange.trace
    compared.push({
      shown,
      name,
      record,
      allowed,
      latest,
      isLate,
      isJudged,
    })
  }
  return compared
}

/** Whether a request reads a record so soon after a write that what it shows may lag behind. */
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
 * The fields that change by themselves. The revision and the time of the last change do so only
 * with the record.
 */
function changingFields(
  { kind: { resource }, fields }: ShownRecord,
  record: KnownRecord | undefined,
  exchange: Exchange,
): readonly string[] {
  const { volatile = [], touched } = resource
  const state = record && sureValue(record, 'status')
  if (!record || state === undefined) return [...volatile, '/secret']

  const moving = touched?.revision ? 'revision' : 'updated_at'
  const since = record.fields.get(moving)?.at(-1)?.by.completeAt ?? 0
  // An update without effect may move the time, but not the revision.
  const isWrite = moving === 'updated_at' && exchange.operation?.effect !== 'read'
  const isInOtherState = fields.status !== state
  const mayHaveMoved =
    isWrite || isInOtherState || changesRecord(exchange, record) || record.changedAt > since
  if (mayHaveMoved) return [...volatile, '/secret']

  const others = volatile.filter((pointer) => pointer !== `/${moving}`)
  return [...others, '/secret']
}

export function isAllowedValue(
  { shown, name, allowed }: ComparedField,
  exchange: Exchange,
): boolean {
  const value = shown.fields[name]
  if (name === 'status') {
    const isKnown = allowed.some((option) => option.value === value)
    if (isKnown || ownTransitions(shown.kind, allowed).includes(value)) return true
  }

  return allowed.some((option) => {
    if (option.isSent) return isShownAsSent(option.value, { shown, name }, exchange)
    return isSameShown(option.value, value)
  })
}

/**
 * Compares what was sent leaf by leaf. What the response does not declare, or what has no value, is
 * not compared.
 */
function isShownAsSent(
  sent: unknown,
  { shown, name }: Pick<ComparedField, 'shown' | 'name'>,
  exchange: Exchange,
): boolean {
  return leavesOf(sent, `/${name}`).every((leaf) => isLeafAsSent(leaf, shown, exchange))
}

export function isLeafAsSent(
  [pointer, leaf]: readonly [pointer: string, leaf: unknown],
  { fields, at }: ShownRecord,
  { operation, status }: Exchange,
): boolean {
  if (leaf === undefined) return valueAt(fields, pointer) === undefined

  const hasNoValue = leaf === null || leaf === '' || typeof leaf === 'object'
  // An unpaired surrogate has no defined form (RFC 8259, section 8.2).
  if (hasNoValue || !String(leaf).isWellFormed()) return true

  const isDeclared = operation?.field(status, `${at}${pointer}`)
  return !isDeclared || isSameValue(leaf, valueAt(fields, pointer))
}

/** Whether a request changes the state of its record, or one of its fields. */
export function changesRecord(exchange: Exchange, record: KnownRecord): boolean {
  const action = findAction(record.kind, exchange.operation?.id)
  // Of an unknown state, the cancellation may have no effect.
  if (action === 'cancel')
    return sureValue(record, 'status') !== undefined && !isWithoutEffect(exchange, record)
  if (action !== 'update') return false

  return Object.entries(fieldsOf(exchange.sent)).some(([name, value]) => {
    const allowed = record.fields.get(name)
    return allowed !== undefined && !mayShow(allowed, value)
  })
}

/** Whether a field may show a value. */
export function mayShow(allowed: readonly Allowed[] = [], value: unknown): boolean {
  return allowed.some((option) => isSameValue(option.value, value))
}

/**
 * The operation that wrote another record of the kind since a record was last shown, if this
 * response is about one record.
 */
export function findInterferingWrite(
  since: number | undefined,
  { kind, at }: Pick<ShownRecord, 'kind' | 'at'>,
  { exchange, model }: RequestContext,
): string | undefined {
  const isAboutOneRecord = at === '' && exchange.operation?.effect === 'read'
  if (!isAboutOneRecord || since === undefined) return undefined

  const last = model.records.lastWrite(kind)
  return last && last.sentAt >= since ? last.operation : undefined
}

/** No fact says how a value is written. */
export const NOTATION_QUESTION = { question: 'values-shown' }
