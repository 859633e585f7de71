import type { Contract } from '../contract/contract.ts'
import { isSameShown, isSameValue, leavesOf, stringAt, valueAt } from '../contract/json.ts'
import { actionOf, fieldName, type Shown } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import {
  type Allowed,
  type KnownRecord,
  mayConcern,
  owns,
  ownTransitions,
  sureValue,
} from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { cited, judge, quoted, type Rule } from './rule.ts'

export const recordsShown: Rule = {
  id: 'records-shown',
  says: 'A record shows the values of the request that created or changed it, or their defaults.',
  advice: 'Store what was sent, and show a record by one function.',
  read(exchange, model, report) {
    for (const it of comparedFields(exchange, model).filter(({ allowed }) => allowed.at(-1)?.isSent)) {
      const isOwn = it.allowed.at(-1)?.by === exchange
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
      const isOwn = it.allowed.at(-1)?.by === exchange
      if (isOwn || model.isComplete) judgeField(it, { exchange, model, report })
      else if (!isAllowed(it, { exchange, model, report })) report.changedElsewhere()
    }
  },
}

export const recordsThere: Rule = {
  id: 'records-there',
  says: 'Every operation finds a record of its owner, from its creation to its deletion.',
  advice: 'Write the record before you respond, and look it up by its id and its owner.',
  read(exchange, model, report) {
    if (!model.isComplete) return
    for (const record of model.records.named(exchange)) {
      const { operation, by, status, outcome } = exchange
      const isUnsure = record.isGone !== false || owns(by, record) !== true || isBeside(exchange, record)
      if (isUnsure || outcome === 'unknown' || actionOf(record.kind, operation?.id) === undefined) continue
      const isMissing = status === 404 || status === 410
      if (!isMissing && outcome === 'refused') continue
      const message = `${operation?.id} does not find a ${record.kind.name} of its owner (${status}).`
      const since = [...record.fields.values()]
        .flat()
        .map((it) => it.by)
        .sort((a, b) => a.completeAt - b.completeAt)
        .at(-1)
      const cause = causeOf(since, { exchange, model, report }, { kind: record.kind, at: '' })
      const cites = cited(record.kind.resource)
      judge(report, exchange, {
        cites,
        message: isMissing ? message : undefined,
        operation: cause?.operation?.id ?? operation?.id,
      })
    }
  },
}

export const recordsNamed: Rule = {
  id: 'records-named',
  says: 'A response shows the record that the request names, and an id that no record has is refused.',
  advice: 'Compare the whole id, byte by byte.',
  read(exchange, model, report) {
    const kind = model.kinds.find((it) => actionOf(it, exchange.operation?.id))
    const [id] = Object.values(exchange.parameters)
    if (exchange.outcome !== 'accepted' || !kind || id === undefined) return
    const shown = exchange.records.find((it) => it.kind === kind)
    const isOther = shown !== undefined && shown.id !== id
    const isUnknown =
      model.isComplete &&
      !shown &&
      !model.records.find(kind, id) &&
      kind.places[exchange.operation?.id ?? ''] === undefined
    const message = `${exchange.operation?.id} accepts an id that ${isOther ? 'is not the one of the record that it shows' : 'no record has'}.`
    const cites = cited(model.contract.behaviour.refusals?.not_found)
    judge(report, exchange, { cites, message: isOther || isUnknown ? message : undefined, impact: 'high' })
  },
}

export const recordsRefused: Rule = {
  id: 'records-refused',
  says: 'A refused creation creates no record.',
  advice: 'Write the record only after every check.',
  settles: ['effects/creation'],
  read(exchange, model, report) {
    if (!model.isComplete || model.lostCreation) return
    for (const shown of exchange.records) {
      const { touched, operations } = shown.kind.resource
      const created = timeAt(shown.fields, touched?.created ?? '')
      if (operations.create === undefined || created === undefined || created < model.startedAt) continue
      const isNew = actionOf(shown.kind, exchange.operation?.id) === 'create'
      const isKnown = isNew || model.records.find(shown.kind, shown.id) !== undefined
      const isPending = exchange.beside.some(({ request }) => request.method === 'POST')
      if (isPending && !isKnown) continue
      const message = `${exchange.operation?.id} shows a ${shown.kind.name} that no accepted request has created.`
      const cites = { question: 'effects', statement: 'creation' }
      judge(report, exchange, { cites, message: isKnown ? undefined : message, operation: operations.create })
    }
  },
}

export const recordsGone: Rule = {
  id: 'records-gone',
  says: 'A deleted record is neither read nor listed, and no operation accepts its id.',
  advice: 'Leave deleted records out of every query.',
  settles: ['effects/gone'],
  read(exchange, model, report) {
    const named = model.records.named(exchange).filter(({ kind }) => actionOf(kind, exchange.operation?.id))
    for (const record of named.filter((it) => it.isGone === true && !isBeside(exchange, it))) {
      const shown = exchange.records.find(({ id }) => id === record.id)
      const message = `${exchange.operation?.id} accepts the id of a deleted ${record.kind.name} (${exchange.status}).`
      if (exchange.outcome === 'unknown') continue
      const isAccepted = exchange.outcome === 'accepted'
      judge(report, exchange, {
        cites: endCites(record, shown),
        message: isAccepted ? message : undefined,
        about: 'id',
      })
    }
    for (const shown of exchange.records) {
      const record = model.records.find(shown.kind, shown.id)
      const isLate = record && exchange.sentAt - record.changedAt < model.lagMs
      if (record?.isGone !== true || named.includes(record) || isBeside(exchange, record) || isLate) continue
      const message = `${exchange.operation?.id} shows a deleted ${record.kind.name}.`
      report.failed(exchange, endCites(record, shown), message, { about: 'list' })
    }
  },
}

export const recordsStates: Rule = {
  id: 'records-states',
  says: 'An action is accepted in the states that allow it, and refused in all others.',
  advice: 'Check the state in the transaction that changes it.',
  read(exchange, model, report) {
    for (const record of model.records.named(exchange)) {
      const { kind } = record
      const isPayment = exchange.operation?.id === 'createTransfer'
      const action = isPayment ? 'pay' : (actionOf(kind, exchange.operation?.id) ?? '')
      const state = sureValue(record, fieldName(kind.resource.status ?? ''))
      const transition = kind.resource.states?.[String(state)]?.on?.[action]
      if (!transition || record.isGone !== false || isBeside(exchange, record)) continue
      const cites = cited(transition, kind.resource.states?.[String(state)])
      const isMine = owns(exchange.by, record) === true
      const words = `${exchange.operation?.id} of a ${kind.name} in state ${state}`
      if (transition.refusal && exchange.outcome !== 'unknown') {
        const message =
          exchange.outcome === 'accepted' ? `${words} was accepted; expected it to be refused.` : undefined
        judge(report, exchange, {
          cites,
          message,
          about: String(state),
          impact: isPayment ? 'critical' : 'high',
        })
      } else if (
        isMine &&
        !isPayment &&
        action !== 'update' &&
        [200, 204, 409, 422].includes(exchange.status)
      ) {
        const message =
          exchange.outcome === 'refused' ? `${words} was refused (${exchange.status}).` : undefined
        judge(report, exchange, { cites, message, about: `${state} refused` })
      }
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

interface Reading {
  readonly exchange: Exchange
  readonly model: Model
  readonly report: Report
}

/** A field that a response shows, and what it may show. */
interface Compared {
  readonly shown: Shown
  readonly name: string
  readonly record: KnownRecord | undefined
  readonly allowed: readonly Allowed[]
}

/** The fields of all records in a response about which something is known. */
function comparedFields(exchange: Exchange, model: Model): Compared[] {
  if (model.values.isRepeated(exchange)) return []
  return exchange.records.flatMap((shown) => {
    const record = model.records.find(shown.kind, shown.id)
    const isLagging = shown.at !== '' && record && exchange.sentAt - record.changedAt < model.lagMs
    if (isLagging || (record && (record.isGone !== false || isBeside(exchange, record)))) return []
    const { volatile = [], shownOnce } = shown.kind.resource
    const changing = [...(isWithoutEffect(exchange, record) ? [] : volatile), ...(shownOnce?.fields ?? [])]
    const expected = [...model.records.expected(exchange, shown)]
    return expected
      .filter(([name]) => Object.hasOwn(shown.fields, name) && !changing.includes(`/${name}`))
      .map(([name, allowed]) => ({ shown, name, record, allowed }))
  })
}

/** Whether a request is an action that is declared to leave the state of its record as it is. */
function isWithoutEffect(exchange: Exchange, record: KnownRecord | undefined): boolean {
  const { resource } = record?.kind ?? {}
  const state = record && sureValue(record, fieldName(resource?.status ?? ''))
  const action = record && actionOf(record.kind, exchange.operation?.id)
  return state !== undefined && resource?.states?.[String(state)]?.on?.[action ?? '']?.to === state
}

function isBeside(exchange: Exchange, record: KnownRecord): boolean {
  return exchange.beside.some((it) => mayConcern(it, record))
}

function judgeField(compared: Compared, { exchange, model, report }: Reading): void {
  const { shown, name, allowed } = compared
  const latest = allowed.at(-1)
  const isRight = isAllowed(compared, { exchange, model, report })
  const since = latest?.by.operation?.id ?? ''
  const message = `${exchange.operation?.id} shows ${name} of a ${shown.kind.name} as ${quoted(shown.fields[name])}; expected ${quoted(latest?.value)}, as ${latest?.isSent ? 'sent by' : 'shown by'} ${since}.`
  const cites = fieldCites(compared, { exchange, model, report })
  const cause = latest?.isSent ? undefined : causeOf(latest?.by, { exchange, model, report }, shown)
  const about = `${name} ${shown.kind.name}`
  judge(report, exchange, {
    cites,
    message: isRight ? undefined : message,
    about,
    operation: cause?.operation?.id ?? exchange.operation?.id,
  })
}

function isAllowed({ shown, name, allowed }: Compared, { exchange, model }: Reading): boolean {
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
function causeOf(
  since: Exchange | undefined,
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
    if (leaf === null || leaf === '' || typeof leaf === 'object') return true
    if (!operation || !contract.field(operation, status, `${shown.at}${pointer}`)) return true
    return isSameValue(leaf, valueAt(shown.fields, pointer))
  })
}

/** What a field rests on: the request that may have changed it, the state, its mark, or the fact about the record. */
function fieldCites({ shown, name, record, allowed }: Compared, { exchange, model }: Reading): Cites {
  const { resource } = shown.kind
  const { conventions = {} } = model.contract.behaviour
  const last = record?.lastNamed
  const isSince = last && last !== exchange && last.completeAt > (allowed.at(-1)?.by.completeAt ?? 0)
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
  if (!record || isBeside(exchange, record)) return
  const isChange = actionOf(kind, exchange.operation?.id) === 'cancel' && !isWithoutEffect(exchange, record)
  for (const pointer of [touched?.updated, touched?.revision].filter((it) => it !== undefined)) {
    const [before, after] = [sureValue(record, fieldName(pointer)), valueAt(fields, pointer)].map(momentOf)
    if (before === undefined || after === undefined) continue
    // A time may be written in whole seconds, and two changes may share one.
    const mayStay =
      !isChange || (pointer === touched?.updated && model.timeAt(exchange.sentAt) - after < 1_500)
    const message = `${exchange.operation?.id} shows ${pointer} of a changed ${kind.name} as it was, or as an earlier one.`
    const isRight = after > before || (mayStay && after === before)
    judge(report, exchange, { cites: cited(touched), message: isRight ? undefined : message, about: pointer })
  }
}

/** A revision, or a time in milliseconds. */
function momentOf(value: unknown): number | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : value
  return typeof moment === 'number' && !Number.isNaN(moment) ? moment : undefined
}

function timeAt(fields: unknown, pointer: string): number | undefined {
  const time = Date.parse(stringAt(fields, pointer) ?? '')
  return Number.isNaN(time) ? undefined : time
}

/** A record that is shown unchanged was not deleted at all; how else a deleted record is shown is an assumption. */
function endCites({ kind, fields }: KnownRecord, shown: Shown | undefined): Cites {
  const { states = {} } = kind.resource
  const [state, change] = Object.values(states)
    .map((it) => [it, it.on?.delete] as const)
    .find(([, it]) => it?.to !== undefined) ?? [undefined, undefined]
  const isUnchanged =
    shown && Object.entries(shown.fields).every(([name, it]) => isKept(fields.get(name), it))
  return isUnchanged ? cited(change, state) : { ...cited(states[change?.to ?? ''], kind.resource), ...GONE }
}

const GONE = { statement: 'gone' } as const

function isKept(allowed: readonly Allowed[] = [], value: unknown): boolean {
  return allowed.length === 0 || allowed.some((it) => isSameValue(it.value, value))
}
