import type { RequestContext } from '../causes/cause.ts'
import { isExpired } from '../causes/codes.ts'
import { isForbidden } from '../causes/index.ts'
import { isRejected, isShownAgain } from '../causes/once.ts'
import { isTokenKindAllowed } from '../causes/permissions.ts'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { type Json, stringAt, timeAt } from '../contract/json.ts'
import {
  findAction,
  findActionOrPayment,
  findKind,
  findState,
  findTransition,
  type Kind,
  type ShownRecord,
} from '../contract/kinds.ts'
import { OPEN } from '../contract/words.ts'
import { type Exchange, findIdInPath, isValid } from '../model/exchange.ts'
import {
  compareOwner,
  hasConcurrentCreation,
  hasConcurrentWrite,
  type KnownRecord,
  readCertainValue,
} from '../model/records.ts'
import { findInterferingWrite } from './fields.ts'
import { recordsGone } from './records-gone.ts'
import { concernsState, expectCode, STATE_STATUSES } from './refusal-code.ts'
import { ALL_BUT_REQUEST_HEADERS, cite, type Rule, type RuleContext, withArticle } from './rule.ts'

const recordsThere: Rule = {
  id: 'records-there',
  says: 'Every operation finds a record of its owner, from its creation to its deletion.',
  advice: 'Write the record before you respond, and look it up by its id and its owner.',
  /** Expects that a request of its owner finds each record that it names, and that is not deleted. */
  read(exchange, model, report) {
    const { status, outcome } = exchange
    // A service may hide what a customer may not use.
    if (!model.isComplete || !isTokenKindAllowed(exchange)) return

    const isMissing = status === 404 || status === 410
    if (outcome === 'unknown' || (outcome === 'refused' && !isMissing)) return
    // Something else than the record may be the reason.
    if (isMissing && (!isValid(exchange) || isForbidden({ exchange, model }))) return

    for (const record of model.records.findNamed(exchange))
      if (isThereForCaller(record, exchange))
        expectFound(record, isMissing, { exchange, model, report })
  },
}

/**
 * Whether a record is certainly there, belongs to the caller, and is of the kind on which the operation
 * acts.
 */
function isThereForCaller(record: KnownRecord, exchange: Exchange): boolean {
  const isOwnedByCaller = compareOwner(exchange.identity, record) === 'same'
  // After a deletion with an unknown outcome, it may be gone.
  if (record.presence !== 'there' || !isOwnedByCaller) return false
  if (hasConcurrentWrite(exchange, record)) return false
  return findAction(record.kind, exchange.operation?.id) !== undefined
}

/**
 * Expects that a request finds the record that it names. A missing one may have been removed by a write to
 * another record since it was last shown; the finding then names that operation.
 */
function expectFound(record: KnownRecord, isMissing: boolean, context: RuleContext): void {
  const { exchange, report } = context
  const { operation, status } = exchange
  const { kind } = record
  const interfering = findInterferingWrite(findLastShownTime(record), kind, context)
  report.expect(
    !isMissing,
    {
      evidence: exchange,
      cites: cite(findEndedState(record, context), kind.resource),
      operation: interfering ?? operation?.id,
      mayLag: mayComeLater(record, context),
    },
    () => `${operation?.id} does not find ${withArticle(kind.name)} of its owner (${status}).`,
  )
}

/** Whether a record was created so recently that the service may find it by its id only later. */
function mayComeLater(record: KnownRecord, { exchange, model }: RequestContext): boolean {
  const isNew = record.created !== undefined && !record.wasFound
  return isNew && model.records.isRecent(record, exchange)
}

/** Finds when a field of a record was last shown or set; undefined if none was. */
function findLastShownTime({ fields }: KnownRecord): number | undefined {
  const times = [...fields.values()].flat().map(({ by }) => by.completeAt)
  return times.length === 0 ? undefined : Math.max(...times)
}

/**
 * Finds what a charge that is not open any more rests on: that it can still be found is an assumption, not
 * a fact. Returns the declaration of its state, or the open question about expired charges; undefined of
 * an open charge, and of any other record.
 */
function findEndedState(record: KnownRecord, context: RequestContext) {
  if (isExpired(record, context)) return { question: 'qr-statuses' }

  const { fields, kind } = record
  const isCharge = kind.resource.operations.cancel !== undefined
  if (!isCharge) return undefined

  const statuses = fields.get('status') ?? []
  const ended = statuses.find(({ value }) => value !== OPEN && findState(kind, value))
  return ended && findState(kind, ended.value)
}

const recordsNamed: Rule = {
  id: 'records-named',
  says: 'A response shows the record that the request names, and an id that no record has is refused.',
  advice: 'Compare the whole id, byte by byte.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Expects that an accepted request shows the record whose id it names. If the operation shows no record,
   * as a deletion, the id must be that of a record which an earlier response showed.
   */
  read(exchange, model, report) {
    const { operation, outcome, records } = exchange
    const kind = findKind(operation?.id)
    const id = findIdInPath(exchange)
    if (outcome !== 'accepted' || !kind || id === undefined) return

    const shownRecord = records.find((record) => record.kind === kind)
    const showsOther = shownRecord !== undefined && shownRecord.id !== id

    const areAllIdsKnown = model.isComplete && !model.lostCreation && model.records.forgotten === 0
    const showsNone = !shownRecord && operation?.record === undefined
    const isUnknownId = areAllIdsKnown && showsNone && !model.records.isShown(kind, id)

    // Of a record that is there, the document says that the operation shows it.
    const namedRecord = model.records.find(kind, id)
    const isThere =
      namedRecord?.presence === 'there' && compareOwner(exchange.identity, namedRecord) === 'same'
    const fact = showsOther && isThere ? kind.resource.fact : undefined
    report.expect(
      !showsOther && !isUnknownId,
      {
        evidence: exchange,
        cites: {
          ...cite({ fact }, behaviour.refusals.not_found),
          entry: findEntryPointer(kind.resource),
        },
        impact: 'high',
      },
      () => {
        const words = showsOther ? 'is not the one of the record that it shows' : 'no record has'
        return `${operation?.id} accepts an id that ${words}.`
      },
    )
  },
}

const recordsRefused: Rule = {
  id: 'records-refused',
  says: 'A refused creation creates no record.',
  advice: 'Write the record only after every check.',
  settles: ['effects/creation'],
  /**
   * Expects that each shown record which was created during the history comes from an accepted creation.
   * One that does not, and has the values of a refused creation, is reported.
   */
  read(exchange, model, report) {
    // A creation that the history lacks or has forgotten may explain any record.
    if (!model.isComplete || model.lostCreation || model.records.forgotten > 0) return

    for (const shownRecord of exchange.records) {
      const { kind, id, fields } = shownRecord
      const isCreatedNow = findAction(kind, exchange.operation?.id) === 'create'
      const wasAccepted = isCreatedNow || model.records.isShown(kind, id)
      const created = kind.resource.touched && timeAt(fields, '/created_at')
      if (created === undefined || created < model.startedAt) continue

      const isCase = wasAccepted || mayComeFromRefusal(created, shownRecord, { exchange, model })
      if (!isCase) continue

      report.expect(
        wasAccepted,
        {
          evidence: exchange,
          cites: { question: 'effects', statement: 'creation' },
          operation: kind.resource.operations.create,
        },
        () =>
          `${exchange.operation?.id} shows ${withArticle(kind.name)} that no accepted request has created.`,
      )
    }
  },
}

/**
 * Whether a record that no accepted request created may come from a refused creation: one was refused at
 * that time, and had the unique values of the record.
 *
 * @param created When the record was created, as it shows.
 */
function mayComeFromRefusal(
  created: number,
  { kind, fields }: ShownRecord,
  context: RequestContext,
): boolean {
  const { exchange, model } = context
  // A creation at the same time may have been accepted, and have created the record.
  if (hasConcurrentCreation(exchange, kind, model.contract)) return false
  return model.wasCreationRefusedAt(created) && wasRefusedWithValues(kind, fields, context)
}

/**
 * Whether a refused request had each unique value that a record shows, such as its `tx_id`. True of a
 * record that shows none.
 */
function wasRefusedWithValues(
  { resource: { unique = {} } }: Kind,
  fields: Json,
  { exchange, model }: RequestContext,
): boolean {
  return Object.entries(unique).every(([pointer, { scope }]) => {
    const value = stringAt(fields, pointer)
    if (value === undefined) return true

    const use = { name: pointer.slice(1), scope, pointer, value }
    const uses = model.values.findUses(use, exchange)
    return uses !== undefined && uses.refused.length > 0
  })
}

const recordsStates: Rule = {
  id: 'records-states',
  says: 'An action is accepted in the states that allow it, and refused in all others.',
  advice: 'Check the state in the transaction that changes it.',
  needs: ['requestBody', 'target', 'times'],
  /**
   * Compares what happens to an action, such as `cancel`, with what spec/behaviour declares of it in the
   * state of its record: the action is refused there, or moves the record to a state.
   */
  read(exchange, model, report) {
    // A failure of the service says nothing of the state.
    if (exchange.outcome === 'unknown') return

    for (const record of model.records.findNamed(exchange)) {
      const { kind, presence } = record
      const action = findActionOrPayment(kind, exchange.operation?.id)
      const state = readCertainValue(record, 'status')
      if (action === undefined || typeof state !== 'string') continue

      const transition = findTransition(kind, state, action)
      const isThere = presence === 'there'
      if (!transition || !isThere || hasConcurrentWrite(exchange, record)) continue

      const recordAction = { record, state, action, transition }
      if (transition.refusal) expectActionRefused(recordAction, { exchange, model, report })
      else expectActionAccepted(recordAction, { exchange, model, report })
    }
  },
}

/** An action on a record, and what spec/behaviour declares of it in the state of the record. */
interface RecordAction {
  readonly record: KnownRecord
  /** Such as `ATIVA`. */
  readonly state: string
  /** Such as `cancel`. */
  readonly action: string
  readonly transition: NonNullable<NonNullable<ReturnType<typeof findState>>['on']>[string]
}

/** Such as `cancelQrCode of an immediateQrCode in state CONCLUIDA`. */
function describeAction({ record, state }: RecordAction, { operation }: Exchange): string {
  return `${operation?.id} of ${withArticle(record.kind.name)} in state ${state}`
}

/** Expects that an action which the state of its record forbids is refused, with the declared code. */
function expectActionRefused(
  recordAction: RecordAction,
  { exchange, model, report }: RuleContext,
): void {
  const { record, state, transition } = recordAction
  // A second payment of a charge moves money, unless it is the first one, shown again, or is rejected.
  const movesMoney = !isShownAgain({ exchange, model }) && !isRejected(exchange, model)
  const isPaidTwice = transition.refusal === 'code_paid' && movesMoney
  report.expect(
    exchange.outcome !== 'accepted',
    {
      evidence: exchange,
      cites: cite(transition, findState(record.kind, state)),
      about: state,
      impact: isPaidTwice ? 'critical' : 'high',
    },
    () => `${describeAction(recordAction, exchange)} was accepted; expected it to be refused.`,
  )
  // Another rule judges the code for a payment, since more may be wrong with a payment.
  const cites = cite(transition, findState(record.kind, state))
  const isOwnedByCaller = compareOwner(exchange.identity, record) === 'same'
  if (recordAction.action !== 'pay' && isOwnedByCaller && concernsState(exchange))
    expectCode(transition.refusal, describeAction(recordAction, exchange), {
      cites,
      exchange,
      report,
    })
}

/** Expects that an action which the state of its record allows is not refused for this state. */
function expectActionAccepted(
  recordAction: RecordAction,
  { exchange, model, report }: RuleContext,
): void {
  const { record, state, action, transition } = recordAction
  const { identity, status, outcome } = exchange
  if (action === 'update') expectStateOfUpdate(recordAction, { exchange, model, report })
  // What an update or a payment sends may be the reason for a refusal.
  if (action === 'update' || action === 'pay') return
  // Other statuses concern the caller or the service, and not the state.
  if (compareOwner(identity, record) !== 'same' || !STATE_STATUSES.includes(status)) return

  // No fact says what can be done with a charge that has expired.
  const isOver = action === 'cancel' && isExpired(record, { exchange, model })
  const declared = cite(transition, findState(record.kind, state))
  report.expect(
    outcome !== 'refused',
    {
      evidence: exchange,
      cites: isOver ? { question: 'qr-statuses' } : declared,
      about: `${state} refused`,
    },
    () => `${describeAction(recordAction, exchange)} was refused (${status}).`,
  )
}

/** Expects that an accepted update leaves the state as it is, or moves it to the declared one. */
function expectStateOfUpdate(
  { record, state, transition }: RecordAction,
  { exchange, report }: RuleContext,
): void {
  const { kind, id } = record
  const shownRecord = exchange.records.find((other) => other.kind === kind && other.id === id)
  const newState = stringAt(shownRecord?.fields, kind.resource.status ?? '')
  if (exchange.outcome !== 'accepted' || newState === undefined || newState === state) return

  report.expect(
    newState === transition.to,
    {
      evidence: exchange,
      cites: cite(transition, findState(kind, state)),
      about: `${state} after`,
    },
    () =>
      `${exchange.operation?.id} moved ${withArticle(kind.name)} from ${state} to ${newState}; expected ${transition.to}.`,
  )
}

export const lifecycleRules = [
  recordsThere,
  recordsNamed,
  recordsRefused,
  recordsGone,
  recordsStates,
]
