import { isSameValue, stringAt, valueAt } from '../contract/json.ts'
import { actionOf, fieldName, type Shown } from '../contract/kinds.ts'
import { sureValue } from '../model/records.ts'
import { isForbidden } from './causes.ts'
import {
  comparedFields,
  isAllowed,
  isBeside,
  isChange,
  isRecent,
  judgeField,
  type Reading,
  timeAt,
} from './compared.ts'
import { cited, judge, quoted, type Rule } from './rule.ts'

export const recordsShown: Rule = {
  id: 'records-shown',
  says: 'A record shows the values of the request that created or changed it, or their defaults.',
  advice: 'Store what was sent, and show a record by one function.',
  read(exchange, model, report) {
    // How a service shows a request that it should have refused is not declared.
    if (isForbidden({ exchange, model })) return
    for (const it of comparedFields(exchange, model).filter(({ allowed }) => allowed.at(-1)?.isSent)) {
      const isOwn = it.allowed.at(-1)?.by === exchange.trace
      if (isOwn || model.isComplete) judgeField(it, { exchange, model, report })
    }
    for (const shown of model.values.isRepeated(exchange) ? [] : exchange.records)
      expectDefaults(shown, { exchange, model, report })
  },
}

export const recordsKept: Rule = {
  id: 'records-kept',
  says: 'A record shows the same in every response, until a request to it or a declared transition changes it.',
  advice: 'Write by the id and the owner of one record, and only after the request was accepted.',
  read(exchange, model, report) {
    for (const it of comparedFields(exchange, model).filter(({ allowed }) => !allowed.at(-1)?.isSent)) {
      const isOwn = it.allowed.at(-1)?.by === exchange.trace
      if (isOwn || model.isComplete) judgeField(it, { exchange, model, report })
      else if (!it.isLate && !isAllowed(it, { exchange, model })) report.changedElsewhere()
    }
  },
}

export const recordsDated: Rule = {
  id: 'records-dated',
  says: 'A record shows when it was created and last changed, and a change moves the latter.',
  advice: 'Set both times when you write the record, in UTC.',
  read(exchange, model, report) {
    for (const shown of exchange.records) {
      const { touched } = shown.kind.resource
      if (!touched) continue
      const [created, updated] = [touched.created, touched.updated ?? ''].map((it) =>
        timeAt(shown.fields, it),
      )
      const isNew = actionOf(shown.kind, exchange.operation?.id) === 'create'
      const isOff = created !== undefined && Math.abs(created - model.timeAt(exchange.completeAt)) > NEAR
      const cites = cited(touched)
      const off = `${exchange.operation?.id} shows another creation time than now, in UTC.`
      if (isNew && created !== undefined)
        judge(report, exchange, { cites, message: isOff ? off : undefined, about: 'created' })
      expectMoved(shown, { exchange, model, report })
      if (created === undefined || updated === undefined) continue
      const early = `${exchange.operation?.id} shows a last change before the creation.`
      judge(report, exchange, { cites, message: updated < created ? early : undefined, about: 'order' })
    }
  },
}

/** Milliseconds by which clocks may differ, less than the offset of Brazilian local time from UTC. */
const NEAR = 90 * 60_000

/** A new record shows its initial state, and defaults in place of what was left out. */
function expectDefaults(shown: Shown, { exchange, report }: Reading): void {
  const { resource } = shown.kind
  if (actionOf(shown.kind, exchange.operation?.id) !== 'create' || exchange.operation?.isAlias) return
  const { status: at = '', initial = [], states = {}, defaults = {} } = resource
  const state = stringAt(shown.fields, at)
  if (state !== undefined && initial.length > 0) {
    const message = `${exchange.operation?.id} shows a new ${shown.kind.name} as ${state}; expected ${initial.join(' or ')}.`
    const isInitial = initial.includes(state)
    judge(report, exchange, {
      cites: cited(states[initial[0] ?? '']),
      message: isInitial ? undefined : message,
      about: 'initial',
    })
  }
  for (const [pointer, it] of Object.entries(defaults)) {
    const [sent, value] = [valueAt(exchange.sent, pointer), valueAt(shown.fields, pointer)]
    if (sent !== undefined || value === undefined) continue
    const isDefault = isSameValue(it.value, value) && isSameValue(value, it.value)
    const message = `${exchange.operation?.id} shows ${pointer} as ${quoted(value)} where it was left out; expected ${quoted(it.value)}.`
    judge(report, exchange, {
      cites: cited(it, resource),
      message: isDefault ? undefined : message,
      about: `default ${pointer}`,
    })
  }
}

/** The revision and the time of the last change rise with each change, and never fall. */
function expectMoved(shown: Shown, { exchange, model, report }: Reading): void {
  const { kind, fields } = shown
  const record = model.records.find(kind, shown.id)
  const { touched } = kind.resource
  const { status: at, states } = kind.resource
  const isOfOtherStates = at !== undefined && states?.[stringAt(fields, at) ?? ''] === undefined
  if (!record || isBeside(exchange, record)) return
  // Whether a cancellation of another state changes anything is unknown.
  const isChanged = isChange(exchange, record) && !isOfOtherStates
  for (const pointer of [touched?.updated, touched?.revision].filter((it) => it !== undefined)) {
    const [before, after] = [sureValue(record, fieldName(pointer)), valueAt(fields, pointer)].map(momentOf)
    if (before === undefined || after === undefined) continue
    // A time may be written in whole seconds, and two changes may share one.
    const mayStay =
      !isChanged || (pointer === touched?.updated && model.timeAt(exchange.sentAt) - after < 1_500)
    const message = `${exchange.operation?.id} shows ${pointer} of a changed ${kind.name} as it was, or as an earlier one.`
    const isRight = after > before || (mayStay && after === before)
    if (!isRight && shown.at !== '' && isRecent(record, exchange, model)) {
      report.later(exchange)
      continue
    }
    judge(report, exchange, { cites: cited(touched), message: isRight ? undefined : message, about: pointer })
  }
}

/** A revision, or a time in milliseconds. */
function momentOf(value: unknown): number | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : value
  return typeof moment === 'number' && !Number.isNaN(moment) ? moment : undefined
}
