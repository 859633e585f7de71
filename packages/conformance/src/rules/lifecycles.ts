import { actionOf, fieldName, type Shown } from '../contract/kinds.ts'
import { type KnownRecord, owns, sureValue } from '../model/records.ts'
import type { Cites } from '../report/report.ts'
import { isForPartners } from './access.ts'
import { causeOf, isBeside, isKept, isRecent, timeAt } from './compared.ts'
import { cited, judge, type Rule } from './rule.ts'

export const recordsThere: Rule = {
  id: 'records-there',
  says: 'Every operation finds a record of its owner, from its creation to its deletion.',
  advice: 'Write the record before you respond, and look it up by its id and its owner.',
  read(exchange, model, report) {
    // A service may hide what a customer may not use.
    if (!model.isComplete || (exchange.by?.customer && isForPartners(exchange, model))) return
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
      judge(report, exchange, {
        cites: cited(endedState(record), record.kind.resource),
        message: isMissing ? message : undefined,
        operation: cause?.operation ?? operation?.id,
      })
    }
  },
}

/** The state of a record that has left its first one: only a question says that such a record stays. */
function endedState({ fields, kind: { resource } }: KnownRecord) {
  const { status = '', initial = [], states = {} } = resource
  const isCharge = resource.operations.cancel !== undefined
  const last = fields.get(fieldName(status))?.map(({ value }) => String(value)) ?? []
  return isCharge ? last.flatMap((it) => (initial.includes(it) ? [] : (states[it] ?? [])))[0] : undefined
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
      model.records.forgotten === 0 &&
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
    if (!model.isComplete || model.lostCreation || model.records.forgotten > 0) return
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
    // Of deletions at once, one is the first.
    const isDeletion = (it: KnownRecord) => actionOf(it.kind, exchange.operation?.id) === 'delete'
    const isSure = (it: KnownRecord) => isDeletion(it) || !isBeside(exchange, it)
    for (const record of named.filter((it) => it.isGone === true && isSure(it))) {
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
      if (record?.isGone !== true || named.includes(record) || isBeside(exchange, record)) continue
      const message = `${exchange.operation?.id} shows a deleted ${record.kind.name}.`
      if (isRecent(record, exchange, model)) report.later(exchange)
      else report.failed(exchange, endCites(record, shown), message, { about: 'list' })
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
