import type { RequestContext } from '../causes/cause.ts'
import { isSameShown, parseTime, stringAt, valueAt } from '../contract/json.ts'
import type { Kind, ShownRecord } from '../contract/kinds.ts'
import { fieldName, findAction, findState } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import type { KnownRecord } from '../model/records.ts'
import { hasConcurrentWrite, readCertainValue, toComparableNumber } from '../model/records.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import { changesRecord, mayLag, mayShow } from './fields.ts'
import type { Rule, RuleContext } from './rule.ts'
import { ALL_BUT_REQUEST_HEADERS, cite, quote } from './rule.ts'

export const recordsDated: Rule = {
  id: 'records-dated',
  says: 'A record shows when it was created and last changed, and a change moves the latter.',
  advice: 'Set both times when you write the record, in UTC.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Judges the times of each shown record, and its revision. `touched` names the fields for them, such as
   * `/created_at` and `/updated_at`, of a kind of record that has them.
   */
  read(exchange, model, report) {
    for (const shownRecord of exchange.records) {
      const { touched } = shownRecord.kind.resource
      if (!touched) continue

      expectCreatedNow(shownRecord, { exchange, model, report })
      expectSameCreation(shownRecord, { exchange, model, report })
      expectVersionToRise(shownRecord, { exchange, model, report })
    }
  },
}

/**
 * Milliseconds by which clocks may differ, less than the offset of Brazilian local time from UTC.
 */
const CLOCK_MARGIN_MS = 90 * 60_000

/**
 * Expects that the response to a creation shows its own time as the time of the creation, `created_at`. More than 90
 * minutes apart, it is wrong, such as a Brazilian local time that is written as UTC.
 */
function expectCreatedNow(
  { kind, fields }: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  const isNew = findAction(kind, exchange.operation?.id) === 'create'
  const { touched } = kind.resource
  // A recorder's clock does not show when the service created the record.
  if (!isNew || !touched || !hasCertainTime(exchange)) return

  const text = stringAt(fields, touched.created)
  if (text === undefined) return

  const created = parseTime(text)
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
      `${exchange.operation?.id} shows ${touched.created} as ${quote(text)}; expected the time of the creation, in UTC.`,
  )
}

/**
 * Expects that a record shows the time of its creation, `created_at`, as it did before. Does nothing where the rule
 * records-kept compares it: it does unless spec/behaviour lists the field as one that changes by itself (volatile).
 */
function expectSameCreation(
  { kind, fields, id }: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  const { touched, volatile = [] } = kind.resource
  const mayChangeByItself = touched !== undefined && volatile.includes(touched.created)
  if (!mayChangeByItself) return

  const record = model.records.find(kind, id)
  if (!record || hasConcurrentWrite(exchange, record)) return

  const createdBefore = readCertainValue(record, fieldName(touched.created))
  const createdNow = valueAt(fields, touched.created)
  if (createdBefore === undefined || createdNow === undefined) return

  report.expect(
    isSameShown(createdBefore, createdNow),
    {
      evidence: exchange,
      cites: cite(touched),
      about: 'creation moved',
    },
    () => `${exchange.operation?.id} shows another ${touched.created} than before.`,
  )
}

/**
 * Expects that the revision of a record and the time of its last change (`updated_at`) rise with each change, and
 * never fall. They may stay if it is not certain that the record has changed. The time may also stay if both changes
 * were in one second.
 */
function expectVersionToRise(shownRecord: ShownRecord, context: RuleContext): void {
  const { exchange, model, report } = context
  const { kind } = shownRecord
  const record = model.records.find(kind, shownRecord.id)
  if (!record || hasConcurrentWrite(exchange, record)) return

  const { touched } = kind.resource
  // Since the record was last shown.
  const change = classifyChange(shownRecord, record, exchange)
  // A read that lags shows all of an earlier record, and not the state after it.
  const isLate = !change.isPayment && mayLag(record, context)

  const time = readVersion(touched?.updated, shownRecord, record)
  if (time) {
    const mayStay = !change.isCertain || mayShareSecond(time, change, record, context)
    expectRisen(time, { mayStay, mayLag: isLate, kind, exchange, report })
  }

  const revision = readVersion(touched?.revision, shownRecord, record)
  if (revision) {
    const mayStay = !change.isCertain
    expectRisen(revision, { mayStay, mayLag: isLate, kind, exchange, report })
  }
}

/** The revision or the time of the last change, as an earlier response showed it, and as this one does. */
interface Version {
  /** Such as `/updated_at`. */
  readonly pointer: string
  readonly before: unknown
  readonly after: unknown
}

/** Reads a field as it is known from before and as it is shown now; undefined if one of the two is not certain. */
function readVersion(
  pointer: string | undefined,
  shownRecord: ShownRecord,
  knownRecord: KnownRecord,
): Version | undefined {
  if (pointer === undefined) return undefined

  const name = fieldName(pointer)
  const before = readCertainValue(knownRecord, name)
  const isShown = Object.hasOwn(shownRecord.fields, name)
  if (before === undefined || !isShown) return undefined
  return { pointer, before, after: shownRecord.fields[name] }
}

interface VersionContext extends Omit<RuleContext, 'model'> {
  readonly kind: Kind
  /** Whether the value may be the same as before. */
  readonly mayStay: boolean
  readonly mayLag: boolean
}

/** Expects that a version, a revision or a time, is higher than before, or as high if it may stay. */
function expectRisen(version: Version, context: VersionContext): void {
  const { kind, mayStay, mayLag, exchange, report } = context
  const before = toComparableNumber(version.before)
  const after = toComparableNumber(version.after)
  const isSame = before === after || isSameShown(version.before, version.after)
  // The time of a change may be null until the first one, which is no number here.
  const isFirst = Number.isNaN(before) && !Number.isNaN(after)
  const isRisen = after > before || isFirst
  report.expect(
    isSame ? mayStay : isRisen,
    {
      evidence: exchange,
      cites: cite(kind.resource.touched),
      about: version.pointer,
      mayLag,
    },
    () =>
      `${exchange.operation?.id} shows ${version.pointer} of a changed ${kind.name} as it was, or as an earlier one.`,
  )
}

/** A whole second, and what clocks may differ by. */
const SHARED_SECOND_MS = 1_500

/**
 * Whether a record may show the same time as before although it has changed again: a service that writes whole seconds
 * shows `10:00:05` for a change at 10:00:05.1 and for another one at 10:00:05.9.
 */
function mayShareSecond(
  time: Version,
  { isPayment }: ShownChange,
  record: KnownRecord,
  { exchange, model }: RequestContext,
): boolean {
  // A payment changes the record when its transfer does; any other change, by this request at the earliest.
  const changedAt = isPayment ? record.changedAt : exchange.sentAt
  const msSinceShownTime = model.timeAt(changedAt) - toComparableNumber(time.after)
  // Times in records may come from a clock that is behind, which makes the difference too large.
  const correctedMs = msSinceShownTime - measureBehindMs(record, model)
  return correctedMs < SHARED_SECOND_MS
}

/**
 * Measures how many milliseconds the times in records are behind the clock that the service shows otherwise: 3,000 for
 * a `created_at` of 10:00:00 in a response of 10:00:03. 0 if they are not, or if the history does not show the
 * creation.
 */
function measureBehindMs(record: KnownRecord, model: Model): number {
  const { created, kind } = record
  const { touched } = kind.resource
  if (!created || !touched) return 0

  const shownTime = toComparableNumber(readCertainValue(record, fieldName(touched.created)))
  const behindMs = model.timeAt(created.completeAt) - shownTime
  return Number.isNaN(behindMs) ? 0 : Math.max(0, behindMs)
}

interface ShownChange {
  /** Whether the record certainly has changed. */
  readonly isCertain: boolean
  /** Whether the change is its payment, which moves the state when it is made, or later. */
  readonly isPayment: boolean
}

/**
 * Says whether a record has certainly changed since it was last shown (`isCertain`): it shows another status, or the
 * request itself changes it. If a known payment explains the new status, the change is that payment (`isPayment`).
 */
function classifyChange(
  shownRecord: ShownRecord,
  record: KnownRecord,
  exchange: Exchange,
): ShownChange {
  const { kind, fields } = shownRecord
  const isInOtherState = showsOtherState(shownRecord, record)
  // Of a status that the contract does not declare, nobody knows whether a cancellation changes anything.
  const isStateDeclared = findState(kind, fields.status) !== undefined
  const hasChanged = isInOtherState || changesRecord(exchange, record)
  // A payment whose outcome is not known adds its status to those that the record may show.
  const isExpectedStatus = mayShow(record.fields.get('status'), fields.status)
  return {
    isCertain: isStateDeclared && hasChanged,
    isPayment: isInOtherState && isExpectedStatus,
  }
}

/**
 * Whether a response certainly shows another state of a record than the last response did. False if the earlier state
 * is unknown, or is none of the contract.
 */
function showsOtherState({ kind, fields }: ShownRecord, record: KnownRecord): boolean {
  // The status as last shown, and then one for each write with an unknown outcome: `ATIVA`, and `CONCLUIDA` if a
  // payment is pending.
  const possibleStatuses = record.fields.get('status') ?? []
  const [statusBefore] = possibleStatuses
  // After several such writes, an earlier response may have shown this state.
  const hasSeveralUnknownWrites = possibleStatuses.length > 2
  if (!statusBefore || hasSeveralUnknownWrites) return false

  const isStateDeclared = findState(kind, statusBefore.value) !== undefined
  return isStateDeclared && statusBefore.value !== fields.status
}
