import type { RequestContext } from '../causes/cause.ts'
import { isExpired } from '../causes/codes.ts'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import {
  fieldsOf,
  isSameShown,
  isSameValue,
  leavesOf,
  stringAt,
  valueAt,
} from '../contract/json.ts'
import { findAction, findState, type ShownRecord } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import {
  type Allowed,
  FILLED_BY_STATUS,
  isBeside,
  isSureStatus,
  isWithoutEffect,
  type KnownRecord,
  momentOf,
  owns,
  ownTransitions,
  sureValue,
} from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { classifyDifference } from './difference.ts'
import { isForbidden } from './refusals.ts'
import {
  ALL_BUT_REQUEST_HEADERS,
  cite,
  quote,
  quoteBoth,
  type Rule,
  type RuleContext,
  withArticle,
} from './rule.ts'

const recordsShown: Rule = {
  id: 'records-shown',
  says: 'A record shows the values of the request that created or changed it, or their defaults.',
  advice: 'Store what was sent, and show a record by one function.',
  settles: ['guide-webhook-body/'],
  needs: ['target'],
  read(exchange, model, report) {
    // How a service shows a request that it should have refused is not declared.
    if (isForbidden({ exchange, model })) return

    for (const compared of compareFields(exchange, model)) {
      const wasSent = compared.latest?.isSent
      if (wasSent && compared.isJudged) expectField(compared, { exchange, model, report })
    }

    if (model.values.isRepeated(exchange)) return
    for (const shown of exchange.records) {
      expectDefaults(shown, { exchange, model, report })
      expectTypeOfShortPath(shown, { exchange, model, report })
    }
  },
}

/** The shorter path takes no type, so that the first look at the webhook shows the default. */
function expectTypeOfShortPath(
  { kind, id, fields }: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  if (kind.name !== 'webhook' || fields.type === undefined) return

  const record = model.records.find(kind, id)
  const isOfShortPath = record?.created?.operation?.isAlias === true
  if (!isOfShortPath || record.fields.has('type')) return

  report.expect(
    fields.type === 'all',
    {
      evidence: exchange,
      cites: { question: 'guide-webhook-body' },
      about: 'short path',
    },
    () =>
      `${exchange.operation?.id} shows a webhook of the shorter path with the type ${quote(fields.type)}; expected "all".`,
  )
}

const recordsKept: Rule = {
  id: 'records-kept',
  says: 'A record shows the same in every response, until a request to it or a declared transition changes it.',
  advice: 'Write by the id and the owner of one record, and only after the request was accepted.',
  needs: ['target'],
  read(exchange, model, report) {
    for (const compared of compareFields(exchange, model)) {
      if (compared.latest?.isSent) continue

      if (compared.isJudged) expectField(compared, { exchange, model, report })
      else if (isChangedElsewhere(compared, { exchange, model })) report.changedElsewhere()
    }
  },
}

/** Whether neither a request of the history nor the end of a charge explains another value. */
function isChangedElsewhere(compared: ComparedField, requested: RequestContext): boolean {
  const { record, isLate } = compared
  if (isLate || isAllowedValue(compared, requested.exchange)) return false

  const hasEnded = record !== undefined && isExpired(record, requested)
  return !hasEnded
}

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

function expectField(compared: ComparedField, { exchange, model, report }: RuleContext): void {
  const isRight = isAllowedValue(compared, exchange)
  const { shown, name, latest, isLate } = compared
  const cause = latest?.isSent
    ? undefined
    : findInterferingWrite(latest?.by.completeAt, shown, { exchange, model })
  const difference = isRight ? '' : findDifference(compared, exchange).kind
  report.expect(
    isRight,
    {
      evidence: exchange,
      cites: difference === 'letters' ? NOTATION_QUESTION : citeField(compared, exchange),
      about: `${name} ${shown.kind.name} ${difference}`,
      operation: cause ?? exchange.operation?.id,
      mayLag: isLate,
    },
    () => describeField(compared, exchange),
  )
}

/** No fact says how a value is written. */
export const NOTATION_QUESTION = { question: 'values-shown' }

function describeField(compared: ComparedField, exchange: Exchange): string {
  const { shown, latest } = compared
  const { place, actual, expected } = findDifference(compared, exchange)
  const how = latest?.isSent ? 'sent by' : 'shown by'
  const by = latest?.by.operation ?? ''
  return `${exchange.operation?.id} shows ${place} of ${withArticle(shown.kind.name)} as ${actual}; expected ${expected}, as ${how} ${by}.`
}

/** The first place at which a field differs from what it may show, and both values of it. */
function findDifference({ shown, name, latest }: ComparedField, exchange: Exchange) {
  const wanted = { [name]: latest?.value }
  const isDifferent = (pointer: string) => {
    const leaf = valueAt(wanted, pointer)
    return latest?.isSent
      ? !isLeafAsSent([pointer, leaf], shown, exchange)
      : !isSameShown(leaf, valueAt(shown.fields, pointer))
  }

  const leaves = [
    ...leavesOf(wanted[name], `/${name}`),
    ...leavesOf(shown.fields[name], `/${name}`),
  ]
  const [pointer] = leaves.find(([pointer]) => isDifferent(pointer)) ?? [`/${name}`]
  const shownValue = valueAt(shown.fields, pointer)
  const wantedValue = valueAt(wanted, pointer)
  const [actual, expected] = quoteBoth(shownValue, wantedValue)
  return {
    place: pointer.slice(1),
    actual,
    expected,
    kind: classifyDifference(wantedValue, shownValue),
  }
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

function isLeafAsSent(
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

/**
 * What a field rests on: the request that may have changed it, the state, its mark, or the fact
 * about the record.
 */
function citeField(
  { shown, name, record, allowed, latest }: ComparedField,
  exchange: Exchange,
): Cites {
  const { conventions } = behaviour
  const last = record?.lastNamed
  const isSince = last && last.completeAt > (latest?.by.completeAt ?? 0)
  if (isSince && last.outcome === 'refused') {
    const isOfAnotherOwner = owns(last.by, record) === false
    return cite(isOfAnotherOwner ? conventions.owners : conventions.refusedEffects)
  }

  const states = allowed.map(({ value }) => findState(shown.kind, value))
  const state = states.find((it) => it !== undefined)
  if (name === 'status' && state) return cite(state)

  // No request writes a user, and no fact says that the list and the look-up show the same of it.
  if (shown.kind.name === 'user') return { question: 'user-fields' }

  const field = exchange.operation?.field(exchange.status, `${shown.at}/${name}`)
  return { ...cite(field, shown.kind.resource), entry: findEntryPointer(shown.kind.resource) }
}

/** Whether a request changes the state of its record, or one of its fields. */
function changesRecord(exchange: Exchange, record: KnownRecord): boolean {
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

/** A new record shows its initial state, and defaults in place of what was left out. */
function expectDefaults(shown: ShownRecord, { exchange, model, report }: RuleContext): void {
  const isNew = findAction(shown.kind, exchange.operation?.id) === 'create'
  if (isFirstLook(shown, { exchange, model }))
    expectInitialState(shown, { exchange, model, report })
  if (!isNew || exchange.operation?.isAlias) return

  expectInitialState(shown, { exchange, model, report })
  for (const [pointer, declared] of Object.entries(shown.kind.resource.defaults ?? {})) {
    const sent = valueAt(exchange.sent, pointer)
    const value = valueAt(shown.fields, pointer)
    const isUnknown = exchange.unknown.sent.length > 0
    if (sent !== undefined || isUnknown || value === undefined) continue

    report.expect(
      isSameValue(declared.value, value) && isSameValue(value, declared.value),
      {
        evidence: exchange,
        cites: cite(declared, shown.kind.resource),
        about: `default ${pointer}`,
      },
      () =>
        `${exchange.operation?.id} shows ${pointer} as ${quote(value)} where it was left out; expected ${quote(declared.value)}.`,
    )
  }
}

/** Whether a record is shown for the first time after a creation that showed no state of it. */
function isFirstLook({ kind, id }: ShownRecord, { exchange, model }: RequestContext): boolean {
  const record = model.records.find(kind, id)
  const isRead = exchange.operation?.effect === 'read'
  if (!isRead || !record?.created || isBeside(exchange, record)) return false

  const hasState = record.fields.has(kind.resource.status?.slice(1) ?? 'status')
  return !hasState && record.changedAt === record.created.completeAt
}

function expectInitialState(
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  const { initial = [], status = '/status' } = kind.resource
  const state = stringAt(fields, status)
  if (state === undefined || initial.length === 0) return
  // A word that the contract does not have is a matter of its enum, and says nothing of the state.
  if (findState(kind, state) === undefined) return

  report.expect(
    initial.includes(state),
    {
      evidence: exchange,
      cites: cite(findState(kind, initial[0])),
      about: 'initial',
    },
    () =>
      `${exchange.operation?.id} shows a new ${kind.name} as ${state}; expected ${initial.join(' or ')}.`,
  )
}

const recordsDated: Rule = {
  id: 'records-dated',
  says: 'A record shows when it was created and last changed, and a change moves the latter.',
  advice: 'Set both times when you write the record, in UTC.',
  needs: ALL_BUT_REQUEST_HEADERS,
  read(exchange, model, report) {
    for (const shown of exchange.records) {
      const { touched } = shown.kind.resource
      if (!touched) continue

      expectCreatedNow(shown, { exchange, model, report })
      expectSameCreation(shown, { exchange, model, report })
      expectMoved(shown, { exchange, model, report })
    }
  },
}

/**
 * Milliseconds by which clocks may differ, less than the offset of Brazilian local time from UTC.
 */
const CLOCK_MARGIN_MS = 90 * 60_000

function expectCreatedNow(
  { kind, fields }: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  const isNew = findAction(kind, exchange.operation?.id) === 'create'
  const { touched } = kind.resource
  const text = stringAt(fields, touched?.created ?? '')
  if (!isNew || text === undefined) return

  const created = Date.parse(text)

  const now = model.timeAt(exchange.completeAt)
  report.expect(
    // False for an invalid time.
    Math.abs(created - now) <= CLOCK_MARGIN_MS,
    {
      evidence: exchange,
      cites: cite(touched),
      about: 'created',
    },
    () =>
      `${exchange.operation?.id} shows ${touched?.created} as ${quote(text)}; expected the time of the creation, in UTC.`,
  )
}

/** Compares a volatile time of the creation, which the rule records-kept leaves out. */
function expectSameCreation(shown: ShownRecord, { exchange, model, report }: RuleContext): void {
  const { kind, fields, id } = shown
  const { touched, volatile = [] } = kind.resource
  const record = model.records.find(kind, id)
  if (!record || !touched || !volatile.includes(touched.created)) return
  if (isBeside(exchange, record)) return

  const before = sureValue(record, touched.created.slice(1))
  const after = valueAt(fields, touched.created)
  if (before === undefined || after === undefined) return

  report.expect(
    isSameShown(before, after),
    {
      evidence: exchange,
      cites: cite(touched),
      about: 'creation moved',
    },
    () => `${exchange.operation?.id} shows another ${touched.created} than before.`,
  )
}

/** The revision and the time of the last change rise with each change, and never fall. */
function expectMoved(shown: ShownRecord, { exchange, model, report }: RuleContext): void {
  const { kind, fields, id } = shown
  const record = model.records.find(kind, id)
  if (!record || isBeside(exchange, record)) return

  const { isChanged, isPaid } = changeShown(shown, record, exchange)
  const changedAt = model.timeAt(isPaid ? record.changedAt : exchange.sentAt)
  // A read that lags shows all of an earlier record, and not the state after it.
  const isLate = !isPaid && mayLag(record, { exchange, model })

  const { updated, revision } = kind.resource.touched ?? {}
  for (const pointer of [updated, revision]) {
    const name = pointer?.slice(1) ?? ''
    const known = sureValue(record, name)
    if (pointer === undefined || known === undefined || !Object.hasOwn(fields, name)) continue

    const before = momentOf(known)
    const after = momentOf(fields[name])

    // A time may be written in whole seconds, and two changes may share one.
    const isSameSecond = pointer === updated && changedAt - after < SHARED_SECOND_MS
    const mayStay = !isChanged || isSameSecond
    const isSame = after === before || isSameShown(known, fields[name])
    const isRight = (after > before && !isSame) || (mayStay && isSame)
    report.expect(
      isRight,
      {
        evidence: exchange,
        cites: cite(kind.resource.touched),
        about: pointer,
        mayLag: isLate,
      },
      () =>
        `${exchange.operation?.id} shows ${pointer} of a changed ${kind.name} as it was, or as an earlier one.`,
    )
  }
}

/** A whole second, and what clocks may differ by. */
const SHARED_SECOND_MS = 1_500

/** Whether a response shows a change of its record, and whether that is its payment. */
function changeShown(
  { kind, fields }: ShownRecord,
  record: KnownRecord,
  exchange: Exchange,
): { readonly isChanged: boolean; readonly isPaid: boolean } {
  const statuses = record.fields.get('status') ?? []
  const [before] = statuses
  // After several writes with an unknown outcome, an earlier response may have shown the state.
  const isUnsure = statuses.length > 2
  const isInOtherState =
    before !== undefined &&
    !isUnsure &&
    before.value !== fields.status &&
    findState(kind, before.value) !== undefined
  const isStateKnown = findState(kind, fields.status) !== undefined
  return {
    // Whether a cancellation of another state changes anything is unknown.
    isChanged: isStateKnown && (isInOtherState || changesRecord(exchange, record)),
    // A payment moves the state when it is made, or later.
    isPaid: isInOtherState && mayShow(statuses, fields.status),
  }
}

export const recordRules = [recordsShown, recordsKept, recordsDated]
