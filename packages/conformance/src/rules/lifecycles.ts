import type { State, Transition } from '@partner-payments/spec/behaviour'
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
  isCharge,
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
import type { Cites } from '../report/report.ts'
import { findInterferingWrite } from './fields.ts'
import { recordsGone } from './records-gone.ts'
import { concernsState, expectCode, STATE_STATUSES } from './refusal-code.ts'
import { ALL_BUT_REQUEST_HEADERS, cite, type Rule, type RuleContext, withArticle } from './rule.ts'

const recordsThere: Rule = {
  id: 'records-there',
  says: 'Every operation finds a record of its owner, from its creation to its deletion.',
  advice: 'Write the record before you respond, and look it up by its id and its owner.',
  /**
   * Expects that a request of its owner finds the record that its path names, if that is not deleted: any response
   * but 404 and 410 has found it. Refusals with other statuses are not judged.
   */
  read(exchange, model, report) {
    const { status, outcome } = exchange
    if (!model.isComplete || outcome === 'unknown') return
    // A service may hide what a customer may not use.
    if (!isTokenKindAllowed(exchange)) return

    const isMissing = status === 404 || status === 410
    const isOtherRefusal = outcome === 'refused' && !isMissing
    if (isOtherRefusal) return

    // A 404 may be about something else that is wrong with the request.
    const isWrongRequest = !isValid(exchange) || isForbidden({ exchange, model })
    if (isMissing && isWrongRequest) return

    const record = model.records.findInPath(exchange)
    if (record && isThereForCaller(record, exchange))
      expectFound(record, isMissing, { exchange, model, report })
  },
}

/** Whether a record is certainly there, and belongs to the caller. False while another request may delete it. */
function isThereForCaller(record: KnownRecord, exchange: Exchange): boolean {
  // After a deletion with an unknown outcome, the presence is unknown.
  const isThere = record.presence === 'there' && !hasConcurrentWrite(exchange, record)
  const isOwnedByCaller = compareOwner(exchange.identity, record) === 'same'
  return isThere && isOwnedByCaller
}

/**
 * Expects that a request finds the record that it names. If another record was written since, as when another webhook
 * was deleted, that may have removed this one too, and the finding names that operation.
 */
function expectFound(record: KnownRecord, isMissing: boolean, context: RuleContext): void {
  const { exchange, report } = context
  const { operation, status } = exchange
  const { kind } = record
  const interferingOperation = findInterferingWrite(findLastShownTime(record), kind, context)
  report.expect(
    !isMissing,
    {
      evidence: exchange,
      cites: citeFound(record, context),
      operation: interferingOperation ?? operation?.id,
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

/** Cites what says that a record is found. Of a charge that is not open any more, that is an assumption. */
function citeFound(record: KnownRecord, context: RequestContext): Cites {
  if (isExpired(record, context)) return cite({ question: 'qr-statuses' }, record.kind.resource)
  return cite(findEndedState(record), record.kind.resource)
}

/**
 * Finds what is declared of the state in which a charge has ended, or may have ended, such as `CONCLUIDA`.
 * Undefined of an open charge, and of a record of another kind.
 */
function findEndedState({ fields, kind }: KnownRecord): State | undefined {
  if (!isCharge(kind)) return undefined

  // Several if the outcome of a write is not known.
  const possibleStatuses = fields.get('status') ?? []
  for (const { value: status } of possibleStatuses) {
    const state = findState(kind, status)
    if (status !== OPEN && state) return state
  }
  return undefined
}

const recordsNamed: Rule = {
  id: 'records-named',
  says: 'A response shows the record that the request names, and an id that no record has is refused.',
  advice: 'Compare the whole id, byte by byte.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /** Judges the id in the path of an accepted request: it is that of the shown record, or of a known one. */
  read(exchange, model, report) {
    const { operation, outcome, records } = exchange
    const kind = findKind(operation?.id)
    const id = findIdInPath(exchange)
    if (outcome !== 'accepted' || !kind || id === undefined) return

    const shownRecord = records.find((record) => record.kind === kind)
    if (shownRecord) expectSameId(id, shownRecord, { exchange, model, report })
    else expectKnownId(id, kind, { exchange, model, report })
  },
}

/**
 * Expects that a response shows the record whose id its request names. Another record contradicts a fact if the named
 * one is there and the caller's. Otherwise, it contradicts the assumption that an unknown id is refused.
 */
function expectSameId(
  namedId: string,
  shownRecord: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  const { kind, id } = shownRecord
  const isSame = id === namedId
  const namedRecord = model.records.find(kind, namedId)
  const isThere = namedRecord?.presence === 'there'
  const isOwnedByCaller =
    namedRecord !== undefined && compareOwner(exchange.identity, namedRecord) === 'same'
  const contradictsFact = !isSame && isThere && isOwnedByCaller
  report.expect(
    isSame,
    {
      evidence: exchange,
      cites: citeNotFound(kind, contradictsFact ? kind.resource.fact : undefined),
      impact: 'high',
    },
    () =>
      `${exchange.operation?.id} accepts an id that is not the one of the record that it shows.`,
  )
}

/**
 * Expects that an accepted request whose response shows no record, such as a deletion, names the id of a known
 * one. It also passes if a record that the history does not show may have this id.
 */
function expectKnownId(id: string, kind: Kind, { exchange, model, report }: RuleContext): void {
  const { operation } = exchange
  // Then another rule reports that the response lacks the record, and this one passes.
  const mustShowRecord = operation?.record !== undefined
  const isKnown = model.records.isShown(kind, id)
  const mayExistUnseen = !model.isComplete || model.lostCreation || model.records.forgotten > 0
  report.expect(
    mustShowRecord || isKnown || mayExistUnseen,
    {
      evidence: exchange,
      cites: citeNotFound(kind),
      impact: 'high',
    },
    () => `${operation?.id} accepts an id that no record has.`,
  )
}

/** Cites that an id which no record has is refused: the given fact, or else an assumption. */
function citeNotFound({ resource }: Kind, fact?: string): Cites {
  const cites = cite({ fact }, behaviour.refusals.not_found)
  return { ...cites, entry: findEntryPointer(resource) }
}

const recordsRefused: Rule = {
  id: 'records-refused',
  says: 'A refused creation creates no record.',
  advice: 'Write the record only after every check.',
  settles: ['effects/creation'],
  /**
   * Expects that a refused creation has created nothing. A shown record passes if an accepted request has created it.
   * It fails if none has, and a creation with its values was refused at the time that it shows as `created_at`.
   */
  read(exchange, model, report) {
    // A creation that the history lacks or has forgotten may explain any record.
    if (!model.isComplete || model.lostCreation || model.records.forgotten > 0) return

    const cites = { question: 'effects', statement: 'creation' }
    for (const shownRecord of exchange.records) {
      const createdAt = readCreationTime(shownRecord)
      // An older record comes from a request before the history.
      const isFromHistory = createdAt !== undefined && createdAt >= model.startedAt
      if (!isFromHistory) continue

      if (wasCreationAccepted(shownRecord, { exchange, model })) {
        report.passed(exchange, cites)
        continue
      }

      if (!mayComeFromRefusal(createdAt, shownRecord, { exchange, model })) continue

      const { kind } = shownRecord
      const message = `${exchange.operation?.id} shows ${withArticle(kind.name)} that no accepted request has created.`
      report.failed(exchange, cites, message, { operation: kind.resource.operations.create })
    }
  },
}

/** Reads when a record was created, as it shows; undefined of a kind that does not show that. */
function readCreationTime({ kind, fields }: ShownRecord): number | undefined {
  const showsCreation = kind.resource.touched !== undefined
  return showsCreation ? timeAt(fields, '/created_at') : undefined
}

/**
 * Whether an accepted request has created a record: this one, or an earlier one whose response has shown its id. The
 * list of another kind may show it too.
 */
function wasCreationAccepted(
  shownRecord: ShownRecord,
  { exchange, model }: RequestContext,
): boolean {
  const { kind, id } = shownRecord
  const isCreatedNow = findAction(kind, exchange.operation?.id) === 'create'
  if (isCreatedNow || model.records.isShown(kind, id)) return true
  return model.records.findOfOtherKind(shownRecord) !== undefined
}

/**
 * Whether a record that no accepted request created may come from a refused creation: one was refused at that time, and
 * had the values of the record that no other one may have, such as its `tx_id`.
 *
 * @param createdAt When the record was created, as it shows.
 */
function mayComeFromRefusal(
  createdAt: number,
  { kind, fields }: ShownRecord,
  context: RequestContext,
): boolean {
  const { exchange, model } = context
  // A creation at the same time may have been accepted, and have created the record.
  if (hasConcurrentCreation(exchange, kind, model.contract)) return false
  return model.wasCreationRefusedAt(createdAt) && wasRefusedWithValues(kind, fields, context)
}

/**
 * Whether a refused request had each value that a record shows and no other record may have, such as its `tx_id`.
 * True of a record that shows no such value.
 */
function wasRefusedWithValues(
  { resource }: Kind,
  fields: Json,
  { exchange, model }: RequestContext,
): boolean {
  // The scope says among whose records a value is unique: `{ '/tx_id': { scope: 'partner' } }`.
  for (const [pointer, { scope }] of Object.entries(resource.unique ?? {})) {
    const value = stringAt(fields, pointer)
    if (value === undefined) continue

    // The earlier requests with this value, by their outcome; undefined if there was none.
    const sentValue = { name: pointer.slice(1), scope, pointer, value }
    const valueHistory = model.values.findValueHistory(sentValue, exchange)
    const wasRefused = valueHistory !== undefined && valueHistory.refused.length > 0
    if (!wasRefused) return false
  }
  return true
}

const recordsStates: Rule = {
  id: 'records-states',
  says: 'An action is accepted in the states that allow it, and refused in all others.',
  advice: 'Check the state in the transaction that changes it.',
  needs: ['requestBody', 'target', 'times'],
  /**
   * Compares the outcome of an action, such as `cancel`, with the transition that spec/behaviour declares for it in the
   * state of its record: either the code with which it must be refused, such as `code_paid`, or the state that follows.
   */
  read(exchange, model, report) {
    // A failure of the service says nothing of the state.
    if (exchange.outcome === 'unknown') return

    for (const record of model.records.findNamed(exchange)) {
      const recordAction = findRecordAction(record, exchange)
      if (!recordAction) continue

      const { action, transition } = recordAction
      if (transition.refusal) {
        expectActionRefused(recordAction, { exchange, model, report })
        expectRefusalOfState(recordAction, { exchange, model, report })
        continue
      }

      // A refused update or payment is not judged here: what it sends may be the reason.
      if (action === 'update') expectStateOfUpdate(recordAction, { exchange, model, report })
      else if (action !== 'pay') expectActionAccepted(recordAction, { exchange, model, report })
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
  readonly transition: Transition
}

/**
 * Finds what a request does to a record, such as `cancel` in the state `ATIVA`. Undefined if the state of the
 * record is not certain, or if spec/behaviour declares nothing of the action in this state.
 */
function findRecordAction(record: KnownRecord, exchange: Exchange): RecordAction | undefined {
  const { kind, presence } = record
  const isThere = presence === 'there'
  if (!isThere || hasConcurrentWrite(exchange, record)) return undefined

  const action = findActionOrPayment(kind, exchange.operation?.id)
  const state = readCertainValue(record, 'status')
  if (action === undefined || typeof state !== 'string') return undefined

  const transition = findTransition(kind, state, action)
  return transition && { record, state, action, transition }
}

/** Describes an action for a message: `cancelQrCode of an immediateQrCode in state CONCLUIDA`. */
function describeAction({ record, state }: RecordAction, { operation }: Exchange): string {
  return `${operation?.id} of ${withArticle(record.kind.name)} in state ${state}`
}

/**
 * Expects that an action which the state of its record forbids is refused, such as the cancellation of a paid
 * code. An accepted second payment of a code is critical, if it moves money.
 */
function expectActionRefused(
  recordAction: RecordAction,
  { exchange, model, report }: RuleContext,
): void {
  const { record, state, transition } = recordAction
  const isSecondPayment = transition.refusal === 'code_paid'
  // The response may only show the first transfer again, or the second one may be rejected later.
  const movesMoney = !isShownAgain({ exchange, model }) && !isRejected(exchange, model)
  const isPaidTwice = isSecondPayment && movesMoney
  report.expect(
    exchange.outcome !== 'accepted',
    {
      evidence: exchange,
      cites: cite(transition, findState(record.kind, state)),
      // Of its own, so that a baseline that accepts a repeated response does not accept a payment.
      about: isPaidTwice ? `${state}, paid twice` : state,
      impact: isPaidTwice ? 'critical' : 'high',
    },
    () => `${describeAction(recordAction, exchange)} was accepted; expected it to be refused.`,
  )
}

/**
 * Expects the declared code, such as `qrcode_paid`, of an action that was refused in the state of its record. Does
 * nothing if the refusal may have another reason than the state.
 */
function expectRefusalOfState(recordAction: RecordAction, { exchange, report }: RuleContext): void {
  const { record, state, action, transition } = recordAction
  // Another rule judges the code for a payment, since more may be wrong with a payment.
  if (action === 'pay') return

  // A record of another owner is refused for that, whatever its state.
  const isOwnedByCaller = compareOwner(exchange.identity, record) === 'same'
  if (!isOwnedByCaller || !concernsState(exchange)) return

  expectCode(transition.refusal, describeAction(recordAction, exchange), {
    cites: cite(transition, findState(record.kind, state)),
    exchange,
    report,
  })
}

/**
 * Expects that an action which the state of its record allows is not refused for this state, such as the
 * cancellation of an open code. Does nothing if the refusal may have another reason.
 */
function expectActionAccepted(
  recordAction: RecordAction,
  { exchange, model, report }: RuleContext,
): void {
  const { record, state, action, transition } = recordAction
  const { identity, status, outcome } = exchange
  if (compareOwner(identity, record) !== 'same') return
  // Other statuses concern the caller or the service, and not the state.
  if (!STATE_STATUSES.includes(status)) return
  // Somebody whom the history does not show may have moved the state, such as by a payment.
  if (outcome === 'refused' && !model.isComplete) return

  // Whether an expired charge can be cancelled is an open question of its own.
  const isOfExpired = action === 'cancel' && isExpired(record, { exchange, model })
  const declared = cite(transition, findState(record.kind, state))
  report.expect(
    outcome !== 'refused',
    {
      evidence: exchange,
      cites: isOfExpired ? { question: 'qr-statuses' } : declared,
      about: `${state} refused`,
    },
    () => `${describeAction(recordAction, exchange)} was refused (${status}).`,
  )
}

/**
 * Expects that an accepted update leaves the state of its record as it is, or moves it to the declared one, as
 * that of a webhook from `active` to `inactive`.
 */
function expectStateOfUpdate(
  { record, state, transition }: RecordAction,
  { exchange, report }: RuleContext,
): void {
  const { kind, id } = record
  const { status: statusPointer } = kind.resource
  if (exchange.outcome !== 'accepted' || statusPointer === undefined) return

  const shownRecord = exchange.records.find((shown) => shown.kind === kind && shown.id === id)
  const newState = stringAt(shownRecord?.fields, statusPointer)
  const isMoved = newState !== undefined && newState !== state
  if (!isMoved) return

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
