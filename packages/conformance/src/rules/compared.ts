import type { Contract } from '../contract/contract.ts'
import { fieldsOf, isSameShown, isSameValue, leavesOf, stringAt, valueAt } from '../contract/json.ts'
import { actionOf, fieldName, type Shown } from '../contract/kinds.ts'
import type { Exchange, Trace } from '../model/exchange.ts'
import {
  type Allowed,
  isWithoutEffect,
  type KnownRecord,
  mayConcern,
  owns,
  ownTransitions,
  sureValue,
} from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { cited, judge, quoted } from './rule.ts'

/** An exchange with what is known, and where to report. */
export interface Reading {
  readonly exchange: Exchange
  readonly model: Model
  readonly report: Report
}

/** A field that a response shows, and what it may show. */
export interface Compared {
  readonly shown: Shown
  readonly name: string
  readonly record: KnownRecord | undefined
  readonly allowed: readonly Allowed[]
  /** Whether a list shows it so soon after a write that it may lag behind. */
  readonly isLate: boolean
}

/** The fields of all records in a response about which something is known. */
export function comparedFields(exchange: Exchange, model: Model): Compared[] {
  if (model.values.isRepeated(exchange)) return []
  return exchange.records.flatMap((shown) => {
    const record = model.records.find(shown.kind, shown.id)
    if (record && (record.isGone !== false || isBeside(exchange, record))) return []
    const isLate = record !== undefined && shown.at !== '' && isRecent(record, exchange, model)
    const changing = changingFields(shown, record, exchange)
    return [...model.records.expected(exchange, shown)]
      .filter(([name]) => Object.hasOwn(shown.fields, name) && !changing.includes(`/${name}`))
      .map(([name, allowed]) => ({ shown, name, record, allowed, isLate }))
  })
}

/** The fields that change by themselves. The revision and the time of the last change do so only with the record. */
function changingFields(
  { kind: { resource }, fields }: Shown,
  record: KnownRecord | undefined,
  exchange: Exchange,
): readonly string[] {
  const { volatile = [], shownOnce, touched, status = '' } = resource
  const secrets = shownOnce?.fields ?? []
  const state = record && sureValue(record, fieldName(status))
  if (!record || state === undefined) return [...volatile, ...secrets]
  const moving = touched?.revision ?? touched?.updated ?? ''
  const since = record.fields.get(fieldName(moving))?.at(-1)?.by.completeAt ?? 0
  // An update without effect may move the time, but not the revision.
  const isWrite = touched?.revision === undefined && exchange.operation?.effect !== 'read'
  const isMoved = isWrite || valueAt(fields, status) !== state
  const isUsed = isMoved || isChange(exchange, record) || record.changedAt > since
  return [...(isUsed ? volatile : volatile.filter((it) => it !== moving)), ...secrets]
}

/** Whether a write to a record is so new that a list may lag behind it. */
export function isRecent(
  { changedAt }: Pick<KnownRecord, 'changedAt'>,
  { sentAt }: Pick<Exchange, 'sentAt'>,
  { lagMs }: Model,
): boolean {
  return sentAt - changedAt < lagMs
}

export function isBeside(exchange: Exchange, record: KnownRecord): boolean {
  return exchange.beside.some((it) => mayConcern(it, record))
}

export function judgeField(compared: Compared, { exchange, model, report }: Reading): void {
  const { shown, name, allowed } = compared
  const latest = allowed.at(-1)
  const isRight = isAllowed(compared, { exchange, model })
  if (!isRight && compared.isLate) {
    report.later(exchange)
    return
  }
  const since = latest?.by.operation ?? ''
  const message = `${exchange.operation?.id} shows ${name} of a ${shown.kind.name} as ${quoted(shown.fields[name])}; expected ${quoted(latest?.value)}, as ${latest?.isSent ? 'sent by' : 'shown by'} ${since}.`
  const cites = fieldCites(compared, { exchange, model, report })
  const cause = latest?.isSent ? undefined : causeOf(latest?.by, { exchange, model, report }, shown)
  const about = `${name} ${shown.kind.name}`
  judge(report, exchange, {
    cites,
    message: isRight ? undefined : message,
    about,
    operation: cause?.operation ?? exchange.operation?.id,
  })
}

export function isAllowed(
  { shown, name, allowed }: Compared,
  { exchange, model }: Pick<Reading, 'exchange' | 'model'>,
): boolean {
  const value = shown.fields[name]
  const isStatus = `/${name}` === shown.kind.resource.status
  const all = isStatus ? [...allowed.map((it) => it.value), ...ownTransitions(shown.kind, allowed)] : []
  if (all.includes(value)) return true
  return allowed.some((it) =>
    it.isSent
      ? isShownAsSent(it.value, { shown, name, exchange, contract: model.contract })
      : isSameShown(it.value, value),
  )
}

/** The write to another record of the kind that came since a record was last shown, if this response is about one record. */
export function causeOf(
  since: Trace | undefined,
  { exchange, model }: Reading,
  { kind, at }: Pick<Shown, 'kind' | 'at'>,
) {
  const last = at === '' && exchange.operation?.effect === 'read' ? model.records.lastWrite(kind) : undefined
  return last && last.sentAt >= (since?.completeAt ?? Number.POSITIVE_INFINITY) ? last : undefined
}

interface Place {
  readonly shown: Shown
  readonly name: string
  readonly exchange: Exchange
  readonly contract: Contract
}

/** Compares what was sent leaf by leaf. What the response does not declare, or what has no value, is not compared. */
function isShownAsSent(sent: unknown, { shown, name, exchange, contract }: Place): boolean {
  return leavesOf(sent, `/${name}`).every(([pointer, leaf]) => {
    const { operation, status } = exchange
    if (leaf === undefined) return valueAt(shown.fields, pointer) === undefined
    // An unpaired surrogate has no defined form (RFC 8259, section 8.2).
    if (leaf === null || leaf === '' || typeof leaf === 'object' || !String(leaf).isWellFormed()) return true
    if (!operation || !contract.field(operation, status, `${shown.at}${pointer}`)) return true
    return isSameValue(leaf, valueAt(shown.fields, pointer))
  })
}

/** What a field rests on: the request that may have changed it, the state, its mark, or the fact about the record. */
function fieldCites({ shown, name, record, allowed }: Compared, { exchange, model }: Reading): Cites {
  const { resource } = shown.kind
  const { conventions = {} } = model.contract.behaviour
  const last = record?.lastNamed
  const isSince = last && last.completeAt > (allowed.at(-1)?.by.completeAt ?? 0)
  if (isSince && last.outcome === 'refused') {
    const isForeign = owns(last.by, record) === false
    return cited(isForeign ? conventions.owners : conventions.refusedEffects)
  }
  if (`/${name}` === resource.status) {
    const states = allowed.flatMap(({ value }) => resource.states?.[String(value)] ?? [])
    if (states[0]) return cited(states[0])
  }
  return markCites(shown, name, { exchange, model })
}

function markCites(
  shown: Shown,
  name: string,
  { exchange, model }: Pick<Reading, 'exchange' | 'model'>,
): Cites {
  const { operation, status } = exchange
  const field = operation && model.contract.field(operation, status, `${shown.at}/${name}`)
  return cited(field?.question === undefined ? undefined : { question: field.question }, shown.kind.resource)
}

/** Whether a request changes the state of its record, or one of its fields. */
export function isChange(exchange: Exchange, record: KnownRecord): boolean {
  const action = actionOf(record.kind, exchange.operation?.id)
  if (action === 'cancel') return !isWithoutEffect(exchange, record)
  const sent = action === 'update' ? Object.entries(fieldsOf(exchange.sent)) : []
  return sent.some(([name, it]) => record.fields.has(name) && !isKept(record.fields.get(name), it))
}

/** Whether a field may show a value. */
export function isKept(allowed: readonly Allowed[] = [], value: unknown): boolean {
  return allowed.some((it) => isSameValue(it.value, value))
}

/** A time of a record, in milliseconds. */
export function timeAt(fields: unknown, pointer: string): number | undefined {
  const time = Date.parse(stringAt(fields, pointer) ?? '')
  return Number.isNaN(time) ? undefined : time
}
