import type { Requested } from '../causes/cause.ts'
import { isExpired } from '../causes/codes.ts'
import { behaviour } from '../contract/behaviour.ts'
import { type Json, stringAt, timeAt } from '../contract/json.ts'
import { actionOf, actionOn, kindOf, type Shown, stateOf } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import { isBeside, type KnownRecord, owns, sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { isForPartners } from './access.ts'
import { isShownAgain } from './once.ts'
import { causeOf, isKept } from './records.ts'
import { an, cited, judge, type Rule } from './rule.ts'

const recordsThere: Rule = {
  id: 'records-there',
  says: 'Every operation finds a record of its owner, from its creation to its deletion.',
  advice: 'Write the record before you respond, and look it up by its id and its owner.',
  read(exchange, model, report) {
    const { operation, by, status, outcome } = exchange
    // A service may hide what a customer may not use.
    if (!model.isComplete || (by?.customer && isForPartners(exchange))) return
    const isMissing = status === 404 || status === 410
    if (outcome === 'unknown' || (outcome === 'refused' && !isMissing)) return
    for (const record of model.records.named(exchange)) {
      const { kind, fields, isGone } = record
      const isUnsure = isGone !== false || owns(by, record) !== true || isBeside(exchange, record)
      if (isUnsure || actionOf(kind, operation?.id) === undefined) continue
      const seen = [...fields.values()].flat().map((it) => it.by.completeAt)
      const since = seen.length > 0 ? Math.max(...seen) : undefined
      const message = `${operation?.id} does not find ${an(kind.name)} of its owner (${status}).`
      judge(report, exchange, {
        cites: cited(endedState(record, { exchange, model }), kind.resource),
        message: isMissing && message,
        operation: causeOf(since, { kind, at: '' }, { exchange, model }) ?? operation?.id,
      })
    }
  },
}

/**
 * The state of a charge that has expired, or has left its first one: only a question says that such
 * a record stays.
 */
function endedState(record: KnownRecord, requested: Requested) {
  const { fields, kind } = record
  if (isExpired(record, requested)) return { question: 'qr-statuses' }
  const known = kind.resource.operations.cancel ? (fields.get('status') ?? []) : []
  const ended = known.find(({ value }) => value !== 'ATIVA' && stateOf(kind, value))
  return ended && stateOf(kind, ended.value)
}

const recordsNamed: Rule = {
  id: 'records-named',
  says: 'A response shows the record that the request names, and an id that no record has is refused.',
  advice: 'Compare the whole id, byte by byte.',
  read(exchange, model, report) {
    const { operation, outcome, parameters, records } = exchange
    const kind = kindOf(operation?.id)
    const [id] = Object.values(parameters)
    if (outcome !== 'accepted' || !kind || id === undefined) return
    const shown = records.find((it) => it.kind === kind)
    const isOther = shown !== undefined && shown.id !== id
    const isCertain = model.isComplete && model.records.forgotten === 0
    const isHidden = !shown && kind.places[operation?.id ?? ''] === undefined
    const isUnknown = isCertain && isHidden && !model.records.isShown(kind, id)
    const words = isOther ? 'is not the one of the record that it shows' : 'no record has'
    const message = `${operation?.id} accepts an id that ${words}.`
    const named = model.records.find(kind, id)
    const isOwn = named?.isGone === false && owns(exchange.by, named) === true
    // Of a record that is there, the document says that the operation shows it.
    const { fact } = isOther && isOwn ? kind.resource : {}
    const cites = cited({ fact }, behaviour.refusals.not_found)
    judge(report, exchange, { cites, message: (isOther || isUnknown) && message, impact: 'high' })
  },
}

const recordsRefused: Rule = {
  id: 'records-refused',
  says: 'A refused creation creates no record.',
  advice: 'Write the record only after every check.',
  settles: ['effects/creation'],
  read(exchange, model, report) {
    if (!model.isComplete || model.lostCreation || model.records.forgotten > 0) return
    for (const { kind, id, fields } of exchange.records) {
      const { touched, operations } = kind.resource
      const created = touched && timeAt(fields, '/created_at')
      if (created === undefined || created < model.startedAt) continue
      const isNew = actionOf(kind, exchange.operation?.id) === 'create'
      const isKnown = isNew || model.records.isShown(kind, id)
      const isPending = exchange.beside.some(({ request }) => request.method === 'POST')
      if (isPending && !isKnown) continue
      if (!isKnown && !(model.wasCreationRefusedAt(created) && wasTried(fields, exchange, model)))
        continue
      const message = `${exchange.operation?.id} shows ${an(kind.name)} that no accepted request has created.`
      const cites = { question: 'effects', statement: 'creation' }
      judge(report, exchange, { cites, message: !isKnown && message, operation: operations.create })
    }
  },
}

/**
 * Whether a request that was refused has the `tx_id` of a record, if it has one. An earlier
 * history, which had moved the clock, may have created records of any time.
 */
function wasTried(fields: Json, exchange: Exchange, { values }: Model): boolean {
  const value = stringAt(fields, '/tx_id')
  if (value === undefined) return true
  const known = values.known({ name: 'tx_id', pointer: '/tx_id', value }, exchange)
  return known !== undefined && known.refused.length > 0
}

const recordsGone: Rule = {
  id: 'records-gone',
  says: 'A deleted record is neither read nor listed, and no operation accepts its id.',
  advice: 'Leave deleted records out of every query.',
  settles: ['effects/gone'],
  read(exchange, model, report) {
    const { operation, outcome, status, records } = exchange
    const named = model.records.named(exchange).filter(({ kind }) => actionOf(kind, operation?.id))
    for (const record of outcome === 'unknown' ? [] : named.filter((it) => it.isGone === true)) {
      const { kind, id } = record
      // Of deletions at once, one is the first.
      if (actionOf(kind, operation?.id) !== 'delete' && isBeside(exchange, record)) continue
      const shown = records.find((it) => it.id === id)
      const cites = endCites(record, shown)
      const message = `${operation?.id} accepts the id of a deleted ${kind.name} (${status}).`
      judge(report, exchange, { cites, message: outcome === 'accepted' && message, about: 'id' })
    }
    for (const shown of records) {
      const record = model.records.find(shown.kind, shown.id)
      if (record?.isGone !== true || named.includes(record) || isBeside(exchange, record)) continue
      const message = `${operation?.id} shows a deleted ${record.kind.name}.`
      if (model.records.isRecent(record, exchange)) report.later(exchange, message)
      else report.failed(exchange, endCites(record, shown), message, { about: 'list' })
    }
  },
}

/**
 * A record that is shown unchanged was not deleted at all; how else a deleted record is shown is an
 * assumption.
 */
function endCites({ fields }: KnownRecord, shown: Shown | undefined): Cites {
  const { active, deleted } = behaviour.resources.webhook.states
  const isUnchanged =
    shown && Object.entries(shown.fields).every(([name, it]) => isKept(fields.get(name), it))
  return isUnchanged ? cited(active.on.delete) : ({ ...cited(deleted), statement: 'gone' } as Cites)
}

const recordsStates: Rule = {
  id: 'records-states',
  says: 'An action is accepted in the states that allow it, and refused in all others.',
  advice: 'Check the state in the transaction that changes it.',
  read(exchange, model, report) {
    const { operation, outcome, status, by } = exchange
    for (const record of model.records.named(exchange)) {
      const { kind, isGone } = record
      const action = actionOn(kind, operation?.id) ?? ''
      const isPayment = action === 'pay'
      const state = String(sureValue(record, 'status'))
      const declared = stateOf(kind, state)
      const transition = declared?.on?.[action]
      if (!transition || isGone !== false || isBeside(exchange, record)) continue
      const cites = cited(transition, declared)
      const words = `${operation?.id} of ${an(kind.name)} in state ${state}`
      if (transition.refusal && outcome !== 'unknown') {
        const message =
          outcome === 'accepted' && `${words} was accepted; expected it to be refused.`
        const isTwice = transition.refusal === 'code_paid' && !isShownAgain({ exchange, model })
        judge(report, exchange, {
          cites,
          message,
          about: state,
          impact: isTwice ? 'critical' : 'high',
        })
      } else if (
        owns(by, record) === true &&
        !isPayment &&
        action !== 'update' &&
        [200, 204, 409, 422].includes(status)
      ) {
        const message = outcome === 'refused' && `${words} was refused (${status}).`
        // No fact says what can be done with a charge that has expired.
        const isOver = action === 'cancel' && isExpired(record, { exchange, model })
        const source = isOver ? { question: 'qr-statuses' } : cites
        judge(report, exchange, { cites: source, message, about: `${state} refused` })
      }
    }
  },
}

export const lifecycleRules = [
  recordsThere,
  recordsNamed,
  recordsRefused,
  recordsGone,
  recordsStates,
]
