import type { Requested } from '../causes/cause.ts'
import { behaviour } from '../contract/behaviour.ts'
import {
  fieldsOf,
  isSameShown,
  isSameValue,
  leavesOf,
  stringAt,
  timeAt,
  valueAt,
} from '../contract/json.ts'
import { actionOf, type Shown, stateOf } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import {
  type Allowed,
  isBeside,
  isWithoutEffect,
  type KnownRecord,
  momentOf,
  owns,
  ownTransitions,
  sureValue,
} from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { isForbidden } from './refusals.ts'
import { an, cited, judge, quoted, quotedBoth, type Reading, type Rule } from './rule.ts'

const recordsShown: Rule = {
  id: 'records-shown',
  says: 'A record shows the values of the request that created or changed it, or their defaults.',
  advice: 'Store what was sent, and show a record by one function.',
  settles: ['guide-webhook-body/'],
  read(exchange, model, report) {
    // How a service shows a request that it should have refused is not declared.
    if (isForbidden({ exchange, model })) return
    for (const it of comparedFields(exchange, model).filter(({ latest }) => latest?.isSent))
      if (it.isJudged) judgeField(it, { exchange, model, report })
    for (const shown of model.values.isRepeated(exchange) ? [] : exchange.records) {
      expectDefaults(shown, { exchange, model, report })
      expectTypeOfShort(shown, { exchange, model, report })
    }
  },
}

/** The shorter path takes no type, so that the first look at the webhook shows the default. */
function expectTypeOfShort(
  { kind, id, fields }: Shown,
  { exchange, model, report }: Reading,
): void {
  const record = model.records.find(kind, id)
  const isFirst = record?.created?.operation?.isAlias && !record.fields.has('type')
  if (!isFirst || kind.name !== 'webhook' || fields.type === undefined) return
  const message = `${exchange.operation?.id} shows a webhook of the shorter path with the type ${quoted(fields.type)}; expected "all".`
  const cites = cited({ question: 'guide-webhook-body' })
  judge(report, exchange, { cites, message: fields.type !== 'all' && message, about: 'short path' })
}

const recordsKept: Rule = {
  id: 'records-kept',
  says: 'A record shows the same in every response, until a request to it or a declared transition changes it.',
  advice: 'Write by the id and the owner of one record, and only after the request was accepted.',
  read(exchange, model, report) {
    for (const it of comparedFields(exchange, model).filter(({ latest }) => !latest?.isSent))
      if (it.isJudged) judgeField(it, { exchange, model, report })
      else if (!it.isLate && !isAllowed(it, exchange)) report.changedElsewhere()
  },
}

/** A field that a response shows, and what it may show. */
export interface Compared {
  readonly shown: Shown
  readonly name: string
  readonly record: KnownRecord | undefined
  readonly allowed: readonly Allowed[]
  readonly latest: Allowed | undefined
  /** Whether a list shows it so soon after a write that it may lag behind. */
  readonly isLate: boolean
  /** Whether another value is wrong, since nobody else can have changed it. */
  readonly isJudged: boolean
}

/** The fields of all records in a response about which something is known. */
export function comparedFields(exchange: Exchange, model: Model): Compared[] {
  if (model.values.isRepeated(exchange)) return []
  return exchange.records.flatMap((shown) => {
    const record = model.records.find(shown.kind, shown.id)
    if (record && (record.isGone !== false || isBeside(exchange, record))) return []
    // A list that lags shows what a record was before. One that was only created was nothing else.
    const isChanged = record !== undefined && record.changedAt !== record.created?.completeAt
    const isLate = isChanged && shown.at !== '' && model.records.isRecent(record, exchange)
    const changing = changingFields(shown, record, exchange)
    return [...model.records.expected(exchange, shown)]
      .filter(([name]) => Object.hasOwn(shown.fields, name) && !changing.includes(`/${name}`))
      .map(([name, allowed]) => {
        const latest = allowed.at(-1)
        const isJudged = model.isComplete || latest?.by === exchange.trace
        return { shown, name, record, allowed, latest, isLate, isJudged }
      })
  })
}

/**
 * The fields that change by themselves. The revision and the time of the last change do so only
 * with the record.
 */
function changingFields(
  { kind: { resource }, fields }: Shown,
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
  const isMoved = isWrite || fields.status !== state
  const isUsed = isMoved || isChange(exchange, record) || record.changedAt > since
  return [...volatile.filter((it) => isUsed || it !== `/${moving}`), '/secret']
}

function judgeField(compared: Compared, { exchange, model, report }: Reading): void {
  const { shown, name, latest } = compared
  const isRight = isAllowed(compared, exchange)
  const by = `${latest?.isSent ? 'sent by' : 'shown by'} ${latest?.by.operation ?? ''}`
  const { at, values } = isRight ? { at: name, values: [] } : differenceIn(compared, exchange)
  const message = `${exchange.operation?.id} shows ${at} of ${an(shown.kind.name)} as ${values[0]}; expected ${values[1]}, as ${by}.`
  if (!isRight && compared.isLate) {
    report.later(exchange, message)
    return
  }
  const cause = latest?.isSent
    ? undefined
    : causeOf(latest?.by.completeAt, shown, { exchange, model })
  judge(report, exchange, {
    cites: fieldCites(compared, exchange),
    message: !isRight && message,
    about: `${name} ${shown.kind.name}`,
    operation: cause ?? exchange.operation?.id,
  })
}

/** The first place at which a field differs from what it may show, and both values of it. */
function differenceIn({ shown, name, latest }: Compared, exchange: Exchange) {
  const expected = { [name]: latest?.value }
  const [place = `/${name}`] = [expected[name], shown.fields[name]]
    .flatMap((it) => leavesOf(it, `/${name}`).map(([pointer]) => pointer))
    .filter((pointer) => {
      const leaf = valueAt(expected, pointer)
      return latest?.isSent
        ? !isLeafAsSent([pointer, leaf], shown, exchange)
        : !isSameShown(leaf, valueAt(shown.fields, pointer))
    })
  const values = quotedBoth(valueAt(shown.fields, place), valueAt(expected, place))
  return { at: place.slice(1), values }
}

export function isAllowed({ shown, name, allowed }: Compared, exchange: Exchange): boolean {
  const value = shown.fields[name]
  const all = [...allowed.map((it) => it.value), ...ownTransitions(shown.kind, allowed)]
  if (name === 'status' && all.includes(value)) return true
  return allowed.some((it) =>
    it.isSent ? isShownAsSent(it.value, { shown, name }, exchange) : isSameShown(it.value, value),
  )
}

/**
 * The operation that wrote another record of the kind since a record was last shown, if this
 * response is about one record.
 */
export function causeOf(
  since: number | undefined,
  { kind, at }: Pick<Shown, 'kind' | 'at'>,
  { exchange, model }: Requested,
): string | undefined {
  const last =
    at === '' && exchange.operation?.effect === 'read' ? model.records.lastWrite(kind) : undefined
  return last && since !== undefined && last.sentAt >= since ? last.operation : undefined
}

/**
 * Compares what was sent leaf by leaf. What the response does not declare, or what has no value, is
 * not compared.
 */
function isShownAsSent(
  sent: unknown,
  { shown, name }: Pick<Compared, 'shown' | 'name'>,
  exchange: Exchange,
): boolean {
  return leavesOf(sent, `/${name}`).every((leaf) => isLeafAsSent(leaf, shown, exchange))
}

function isLeafAsSent(
  [pointer, leaf]: readonly [pointer: string, leaf: unknown],
  { fields, at }: Shown,
  { operation, status }: Exchange,
): boolean {
  if (leaf === undefined) return valueAt(fields, pointer) === undefined
  // An unpaired surrogate has no defined form (RFC 8259, section 8.2).
  if (leaf === null || leaf === '' || typeof leaf === 'object' || !String(leaf).isWellFormed())
    return true
  if (!operation?.field(status, `${at}${pointer}`)) return true
  return isSameValue(leaf, valueAt(fields, pointer))
}

/**
 * What a field rests on: the request that may have changed it, the state, its mark, or the fact
 * about the record.
 */
function fieldCites({ shown, name, record, allowed, latest }: Compared, exchange: Exchange): Cites {
  const { conventions } = behaviour
  const last = record?.lastNamed
  const isSince = last && last.completeAt > (latest?.by.completeAt ?? 0)
  if (isSince && last.outcome === 'refused')
    return cited(owns(last.by, record) === false ? conventions.owners : conventions.refusedEffects)
  const state = allowed
    .map(({ value }) => stateOf(shown.kind, value))
    .find((it) => it !== undefined)
  if (name === 'status' && state) return cited(state)
  // No request writes a user, and no fact says that the list and the look-up show the same of it.
  if (shown.kind.name === 'user') return { question: 'user-fields' }
  return cited(
    exchange.operation?.field(exchange.status, `${shown.at}/${name}`),
    shown.kind.resource,
  )
}

/** Whether a request changes the state of its record, or one of its fields. */
function isChange(exchange: Exchange, record: KnownRecord): boolean {
  const action = actionOf(record.kind, exchange.operation?.id)
  if (action === 'cancel') return !isWithoutEffect(exchange, record)
  const sent = action === 'update' ? Object.entries(fieldsOf(exchange.sent)) : []
  return sent.some(([name, it]) => record.fields.has(name) && !isKept(record.fields.get(name), it))
}

/** Whether a field may show a value. */
export function isKept(allowed: readonly Allowed[] = [], value: unknown): boolean {
  return allowed.some((it) => isSameValue(it.value, value))
}

/** A new record shows its initial state, and defaults in place of what was left out. */
function expectDefaults({ kind, fields }: Shown, { exchange, report }: Reading): void {
  const { resource, name } = kind
  if (actionOf(kind, exchange.operation?.id) !== 'create' || exchange.operation?.isAlias) return
  const { initial = [], defaults = {} } = resource
  const state = stringAt(fields, '/status')
  if (state !== undefined && initial.length > 0) {
    const message = `${exchange.operation?.id} shows a new ${name} as ${state}; expected ${initial.join(' or ')}.`
    const cites = cited(stateOf(kind, initial[0]))
    judge(report, exchange, {
      cites,
      message: !initial.includes(state) && message,
      about: 'initial',
    })
  }
  for (const [pointer, it] of Object.entries(defaults)) {
    const [sent, value] = [valueAt(exchange.sent, pointer), valueAt(fields, pointer)]
    if (sent !== undefined || value === undefined) continue
    const isDefault = isSameValue(it.value, value) && isSameValue(value, it.value)
    const message = `${exchange.operation?.id} shows ${pointer} as ${quoted(value)} where it was left out; expected ${quoted(it.value)}.`
    const cites = cited(it, resource)
    judge(report, exchange, { cites, message: !isDefault && message, about: `default ${pointer}` })
  }
}

const recordsDated: Rule = {
  id: 'records-dated',
  says: 'A record shows when it was created and last changed, and a change moves the latter.',
  advice: 'Set both times when you write the record, in UTC.',
  read(exchange, model, report) {
    for (const shown of exchange.records) {
      const { touched } = shown.kind.resource
      if (!touched) continue
      const [created, updated] = ['/created_at', '/updated_at'].map((it) =>
        timeAt(shown.fields, it),
      )
      const isNew = actionOf(shown.kind, exchange.operation?.id) === 'create'
      const isOff =
        created !== undefined && Math.abs(created - model.timeAt(exchange.completeAt)) > NEAR
      const cites = cited(touched)
      const off = `${exchange.operation?.id} shows another creation time than now, in UTC.`
      if (isNew && created !== undefined)
        judge(report, exchange, { cites, message: isOff && off, about: 'created' })
      expectMoved(shown, { exchange, model, report })
      if (created === undefined || updated === undefined) continue
      const early = `${exchange.operation?.id} shows a last change before the creation.`
      judge(report, exchange, { cites, message: updated < created && early, about: 'order' })
    }
  },
}

/**
 * Milliseconds by which clocks may differ, less than the offset of Brazilian local time from UTC.
 */
const NEAR = 90 * 60_000

/** The revision and the time of the last change rise with each change, and never fall. */
function expectMoved({ kind, fields, id, at }: Shown, { exchange, model, report }: Reading): void {
  const record = model.records.find(kind, id)
  if (!record || isBeside(exchange, record)) return
  const [before] = record.fields.get('status') ?? []
  const isOther =
    before !== undefined &&
    before.value !== fields.status &&
    stateOf(kind, before.value) !== undefined
  // Whether a cancellation of another state changes anything is unknown.
  const isChanged =
    (isOther || isChange(exchange, record)) && stateOf(kind, fields.status) !== undefined
  // A payment moves the state when it is made, or later.
  const isPaid = isOther && isKept(record.fields.get('status'), fields.status)
  const changedAt = model.timeAt(isPaid ? record.changedAt : exchange.sentAt)
  for (const pointer of ['/updated_at', '/revision']) {
    const name = pointer.slice(1)
    const [before = 0, after = 0] = [sureValue(record, name), fields[name]].map(momentOf)
    if (Number.isNaN(before + after)) continue
    // A time may be written in whole seconds, and two changes may share one.
    const mayStay = !isChanged || (name === 'updated_at' && changedAt - after < 1_500)
    const message = `${exchange.operation?.id} shows ${pointer} of a changed ${kind.name} as it was, or as an earlier one.`
    const isRight = after > before || (mayStay && after === before)
    // A list that lags shows all of an earlier record, and not the state after it.
    const isLate = at !== '' && !isPaid && model.records.isRecent(record, exchange)
    if (!isRight && isLate) report.later(exchange, message)
    else
      judge(report, exchange, {
        cites: cited(kind.resource.touched),
        message: !isRight && message,
        about: pointer,
      })
  }
}

export const recordRules = [recordsShown, recordsKept, recordsDated]
