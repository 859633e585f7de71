import type { Resource } from '@partner-payments/spec/behaviour'
import type { RequestContext } from '../causes/cause.ts'
import { isExpired } from '../causes/codes.ts'
import { isForbidden } from '../causes/index.ts'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { isSameValue, leavesOf, stringAt, valueAt } from '../contract/json.ts'
import { fieldName, findAction, findState, type ShownRecord } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import { compareOwner, hasConcurrentWrite } from '../model/records.ts'
import type { Cites } from '../report/report.ts'
import { classifyDifference } from './difference.ts'
import {
  type ComparedField,
  compareFields,
  findInterferingWrite,
  isAllowedValue,
  isLeafAsSent,
  isSameShownOrMasked,
  NOTATION_QUESTION,
} from './fields.ts'
import { recordsDated } from './records-dated.ts'
import {
  cite,
  citeEarlier,
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
  /**
   * Expects that shown records have the values that requests sent, and the defaults of fields that were left out. A
   * value that somebody else may have changed is not judged.
   */
  read(exchange, model, report) {
    // How a service shows a request that it should have refused is not declared.
    if (isForbidden({ exchange, model })) return

    // Each shown field, with the values that it may show by the history.
    for (const compared of compareFields(exchange, model)) {
      // The rule records-kept judges a value that no request sent.
      const wasSent = compared.latest?.isSent
      if (wasSent && compared.isJudged) expectAllowedValue(compared, { exchange, model, report })
    }

    // A service that accepts a one-time value again may show the record of the earlier request.
    if (model.values.isRepeated(exchange)) return
    for (const shownRecord of exchange.records) {
      expectInitialValues(shownRecord, { exchange, model, report })
      expectTypeOfShortPath(shownRecord, { exchange, model, report })
    }
  },
}

/**
 * Expects that a webhook which was created at the shorter path of the guide shows the type `all` when its type is
 * first shown: that path takes no type, and `all` is what the contract assumes then.
 */
function expectTypeOfShortPath(
  { kind, id, fields }: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  if (kind.name !== 'webhook' || fields.type === undefined) return

  const record = model.records.find(kind, id)
  const isOfShortPath = record?.created?.operation?.isAlias === true
  if (!isOfShortPath) return

  const wasTypeShown = record.fields.has('type')
  if (wasTypeShown) return

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
  /**
   * Expects that each field of a record shows what earlier responses showed. In a history that may lack requests,
   * another value is no failure: it is counted as a change that somebody else made.
   */
  read(exchange, model, report) {
    // Each shown field, with the values that it may show by the history.
    for (const compared of compareFields(exchange, model)) {
      // The rule records-shown judges a value that a request sent.
      if (compared.latest?.isSent) continue

      // In an incomplete history, somebody else may have changed it (`isJudged` is false then).
      if (compared.isJudged) expectAllowedValue(compared, { exchange, model, report })
      else if (isChangedElsewhere(compared, { exchange, model })) report.changedElsewhere()
    }
  },
}

/** Whether a field certainly has another value than before. False if its charge has expired, which may change fields. */
function isChangedElsewhere(compared: ComparedField, context: RequestContext): boolean {
  const { record, isLate } = compared
  if (isLate || isAllowedValue(compared, context.exchange)) return false

  const hasEnded = record !== undefined && isExpired(record, context)
  return !hasEnded
}

/**
 * Expects that a field of a record shows one of the values that it may show by the history. Another value is reported
 * as a contradiction to an earlier response, as the same value in another notation, or else as a wrong one.
 */
function expectAllowedValue(field: ComparedField, { exchange, model, report }: RuleContext): void {
  const { shownRecord, name, isLate } = field
  const cites = citeField(field, exchange)
  if (isAllowedValue(field, exchange)) {
    report.passed(exchange, cites)
    return
  }

  const difference = findDifference(field, exchange)
  // In a recording or on a live service, somebody may have changed it in between.
  if (model.isComplete && contradictsEarlier(field, difference)) {
    reportContradiction(field, difference, { exchange, model, report })
    return
  }

  const isOfNotation = difference.kind === 'letters'
  const message = describeDifferentField(field, difference, exchange)
  const interferingOperation = findInterferingOperation(field, { exchange, model })
  report.failed(exchange, isOfNotation ? NOTATION_QUESTION : cites, message, {
    about: `${name} ${shownRecord.kind.name} ${difference.kind}`,
    operation: interferingOperation ?? exchange.operation?.id,
    mayLag: isLate,
  })
}

/** The kinds of records that no request writes, so that two responses show one and the same record. */
const UNWRITTEN_KINDS: ReadonlySet<string> = new Set(['user', 'customer'])

/** Fields that the service changes by itself, at any time. */
const CHANGED_BY_SERVICE: ReadonlySet<string> = new Set(['status', 'updated_at'])

/**
 * Whether a user or a customer shows another value than an earlier response did. No request writes these records, so the
 * service contradicts itself. False of a status, and of a value that is cut or masked.
 */
function contradictsEarlier(
  { shownRecord, name, latest }: ComparedField,
  { isOfWholeValues }: FieldDifference,
): boolean {
  const isShownBefore = latest !== undefined && !latest.isSent
  const isUnwritten = UNWRITTEN_KINDS.has(shownRecord.kind.name)
  if (!isShownBefore || !isUnwritten) return false
  return isOfWholeValues && !CHANGED_BY_SERVICE.has(name)
}

/**
 * Reports a field that contradicts an earlier response: `getUser` shows another `tax_id` of a customer than it did
 * before. It cites that response, since no fact says that both show the same.
 */
function reportContradiction(
  field: ComparedField,
  difference: FieldDifference,
  { exchange, report }: RuleContext,
): void {
  const { shownRecord, name, latest, isLate } = field
  if (!latest) return

  const says = `${latest.by.operation} shows another ${difference.place} of the same ${shownRecord.kind.name}`
  const message = describeDifferentField(field, difference, exchange)
  report.failed(exchange, citeEarlier(latest.by, says), message, {
    about: `${name} ${shownRecord.kind.name} contradiction`,
    impact: assessContradiction(field),
    mayLag: isLate,
  })
}

/** Fields of a customer that say whose money it is. */
const MONEY_FIELDS: ReadonlySet<string> = new Set([
  'account_id',
  'account_number',
  'account_branch',
  'account_type',
  'ispb',
  'tax_id',
])

function assessContradiction({ shownRecord, name }: ComparedField): 'critical' | 'high' {
  const isAboutMoney = shownRecord.kind.name === 'customer' && MONEY_FIELDS.has(name)
  return isAboutMoney ? 'critical' : 'high'
}

/**
 * Finds the operation that may have changed a field when it wrote another record, such as `updateWebhook`, so that the
 * finding names it. Undefined if none may have, and of a record in a list.
 */
function findInterferingOperation(
  { shownRecord, latest }: ComparedField,
  context: RequestContext,
): string | undefined {
  const isInList = shownRecord.at !== ''
  if (!latest || latest.isSent || isInList) return undefined
  return findInterferingWrite(latest.by.completeAt, shownRecord.kind, context)
}

/** Writes what a field shows, and what was expected of it by which earlier operation. */
function describeDifferentField(
  { shownRecord, latest }: ComparedField,
  { place, actual, expected }: FieldDifference,
  { operation }: Exchange,
): string {
  const how = latest?.isSent ? 'sent by' : 'shown by'
  const by = latest?.by.operation ?? ''
  return `${operation?.id} shows ${place} of ${withArticle(shownRecord.kind.name)} as ${actual}; expected ${expected}, as ${how} ${by}.`
}

interface FieldDifference {
  /** The place in the record, without its first slash: `amount/original`. */
  readonly place: string
  /** Both values, cut for a message. */
  readonly actual: string
  readonly expected: string
  /** How they differ, in a word: `missing`, `letters`, `scale`. */
  readonly kind: string
  /** Whether both are whole: a value that is left out, empty, cut or masked may be so on purpose. */
  readonly isOfWholeValues: boolean
}

/**
 * Finds the first place inside a field that differs from the latest value that it may show, with both
 * values for a message: `{ place: 'amount/original', actual: '"1.00"', expected: '"2.00"', kind: 'amount', … }`.
 */
function findDifference(field: ComparedField, exchange: Exchange): FieldDifference {
  const { shownRecord, name, latest } = field
  const pointer = findDifferentPlace(field, exchange)
  const shownValue = valueAt(shownRecord.fields, pointer)
  const expectedValue = valueAt({ [name]: latest?.value }, pointer)
  const [actual, expected] = quoteBoth(shownValue, expectedValue)
  return {
    place: pointer.slice(1),
    actual,
    expected,
    kind: classifyDifference(expectedValue, shownValue),
    isOfWholeValues: areDifferentAndWhole(expectedValue, shownValue),
  }
}

/** How two whole values differ. */
const WHOLE_DIFFERENCES: ReadonlySet<string> = new Set(['text', 'value', 'amount', 'sign', 'scale'])

/**
 * Whether two values differ, and both are whole: neither is missing, empty or masked with stars, nor the beginning of
 * the other, as `Maria` of `Maria Silva`.
 */
function areDifferentAndWhole(one: unknown, other: unknown): boolean {
  const isMasked = String(one).includes('*') || String(other).includes('*')
  if (isMasked) return false

  // In both directions, since either may be the one that was cut.
  const kinds = [classifyDifference(one, other), classifyDifference(other, one)]
  return kinds.every((kind) => WHOLE_DIFFERENCES.has(kind))
}

/**
 * Finds the pointer of the first place inside a field that differs from the latest value that it may show, such as
 * `/amount/original`. If no place inside differs, it is that of the whole field: `/amount`.
 */
function findDifferentPlace(field: ComparedField, exchange: Exchange): string {
  const { shownRecord, name, latest } = field
  const wholeField = `/${name}`
  // All places in either value, since one of them may lack a place.
  const leaves = [
    ...leavesOf(latest?.value, wholeField),
    ...leavesOf(shownRecord.fields[name], wholeField),
  ]
  const differentLeaf = leaves.find(([pointer]) => !isSameAt(pointer, field, exchange))
  if (!differentLeaf) return wholeField

  const [pointer] = differentLeaf
  return pointer
}

/** Whether a field shows the latest value that it may show, at a pointer such as `/amount/original`. */
function isSameAt(
  pointer: string,
  { shownRecord, name, latest }: ComparedField,
  exchange: Exchange,
): boolean {
  const expected = valueAt({ [name]: latest?.value }, pointer)
  // A response may write what was sent in another way.
  if (latest?.isSent) return isLeafAsSent([pointer, expected], shownRecord, exchange)
  return isSameShownOrMasked(expected, valueAt(shownRecord.fields, pointer), pointer)
}

/**
 * Cites what a wrong value of a field contradicts. If several of these apply, the first counts: that a refused request
 * has no effect, the declared state, the open question about a person's fields, or the declaration of the field.
 */
function citeField(field: ComparedField, exchange: Exchange): Cites {
  const { shownRecord, name, allowed } = field
  const { kind, at } = shownRecord
  const citesOfRefusal = citeRefusedEffect(field)
  if (citesOfRefusal) return citesOfRefusal

  if (name === 'status') {
    const states = allowed.map(({ value }) => findState(kind, value))
    const declaredState = states.find((state) => state !== undefined)
    if (declaredState) return cite(declaredState)
  }

  const questionOfPeople = QUESTIONS_OF_PEOPLE.get(kind.name)
  if (questionOfPeople !== undefined) return { question: questionOfPeople, statement: 'kept' }

  const declaredField = exchange.operation?.field(exchange.status, `${at}/${name}`)
  return { ...cite(declaredField, kind.resource), entry: findEntryPointer(kind.resource) }
}

/**
 * The open questions about the fields of users, of their customers, and of the partner beside them. The document
 * lists these fields and says neither whose they are nor that two responses show the same of them.
 */
const QUESTIONS_OF_PEOPLE: ReadonlyMap<string, string> = new Map([
  ['user', 'user-fields'],
  ['partner', 'user-fields'],
  ['customer', 'customer-fields'],
])

/**
 * Cites that a refused request has no effect, if one named the record after its field was last shown, and may have
 * changed the field. Undefined if the last request that named the record was not refused.
 */
function citeRefusedEffect({ record, latest }: ComparedField): Cites | undefined {
  const lastRequest = record?.lastNamed
  if (!record || lastRequest?.outcome !== 'refused') return undefined

  const lastShownAt = latest?.by.completeAt ?? 0
  if (lastRequest.completeAt <= lastShownAt) return undefined

  const { conventions } = behaviour
  const isOfAnotherOwner = compareOwner(lastRequest.identity, record) === 'different'
  return cite(isOfAnotherOwner ? conventions.owners : conventions.refusedEffects)
}

/**
 * Expects that a new record shows its initial state, such as `ATIVA`, and the defaults of fields that its request left
 * out. At a shorter path of the guide (`isAlias`), no defaults are declared.
 */
function expectInitialValues(shownRecord: ShownRecord, context: RuleContext): void {
  const { exchange } = context
  // If the response to the creation showed no state, the first read does.
  if (isFirstLook(shownRecord, context)) expectInitialState(shownRecord, context)

  const isNew = findAction(shownRecord.kind, exchange.operation?.id) === 'create'
  if (!isNew || exchange.operation?.isAlias) return

  expectInitialState(shownRecord, context)
  for (const [pointer, declared] of Object.entries(shownRecord.kind.resource.defaults ?? {}))
    expectDefault(pointer, declared, shownRecord, context)
}

type DeclaredDefault = NonNullable<Resource['defaults']>[string]

/** Expects that a new record shows the default of a field which its request left out. */
function expectDefault(
  pointer: string,
  declared: DeclaredDefault,
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  // A recording may hide values of the request.
  const isRequestKnown = exchange.unknown.requestBody.length === 0
  const wasLeftOut = isRequestKnown && valueAt(exchange.requestBody, pointer) === undefined
  const value = valueAt(fields, pointer)
  if (!wasLeftOut || value === undefined) return

  // In both directions, since the second value of a comparison may have further fields.
  const isDefault = isSameValue(declared.value, value) && isSameValue(value, declared.value)
  report.expect(
    isDefault,
    {
      evidence: exchange,
      cites: cite(declared, kind.resource),
      about: `default ${pointer}`,
    },
    () =>
      `${exchange.operation?.id} shows ${pointer} as ${quote(value)} where it was left out; expected ${quote(declared.value)}.`,
  )
}

/**
 * Whether a read shows the state of a record for the first time: the response to its creation showed
 * none, and nothing was written to it since.
 */
function isFirstLook({ kind, id }: ShownRecord, { exchange, model }: RequestContext): boolean {
  const record = model.records.find(kind, id)
  const isRead = exchange.operation?.effect === 'read'
  if (!isRead || !record?.created || hasConcurrentWrite(exchange, record)) return false

  const statusField = fieldName(kind.resource.status ?? '/status')
  const wasStateShown = record.fields.has(statusField)
  return !wasStateShown && record.changedAt === record.created.completeAt
}

/** Expects that a new record has one of the states in which records of its kind begin. */
function expectInitialState(
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  const { initial = [], status = '/status' } = kind.resource
  const state = stringAt(fields, status)
  if (state === undefined || initial.length === 0) return
  // Another rule reports a word that the contract does not have. What it means is not known.
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

export const recordRules = [recordsShown, recordsKept, recordsDated]
