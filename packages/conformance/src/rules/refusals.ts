import type { Finding } from '@partner-payments/validator'
import type { Cause, RequestContext } from '../causes/cause.ts'
import { mayBeForEnd } from '../causes/codes.ts'
import { findApplicableCauses, findCauses } from '../causes/index.ts'
import { mayBeForDate, repeatsShownBeneficiary } from '../causes/transfers.ts'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt, valueAt, withValue } from '../contract/json.ts'
import { type Exchange, listKnownDifferences } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { NOT_VALIDATED, OTHER_STATUS } from '../report/unseen.ts'
import { noteEnumValue } from './enum-values.ts'
import { mayLag } from './fields.ts'
import { ALL_BUT_REQUEST_HEADERS, cite, REFUSAL_FORM, type Rule, type RuleContext } from './rule.ts'

const refusalsInvalid: Rule = {
  id: 'refusals-invalid',
  says: 'A request that does not match the contract is refused.',
  advice: 'Validate the request by the contract before anything else.',
  settles: ['transfer-types/invalid', 'bounds/invalid'],
  needs: ['target'],
  /**
   * Expects that a request which differs from the contract is refused. If it is accepted, one difference is reported:
   * the first one from a fact, or else the first one from an assumption.
   */
  read(exchange, model, report) {
    const { outcome, operation, request, intent } = exchange
    if (!operation || outcome === 'unknown' || request.method !== operation.method) return

    // The checker has edited this request from another one, which was refused. Both may have the same reason.
    const isVariantOfRefused = intent?.variantOf !== undefined && !exchange.isVariant
    if (isVariantOfRefused) return

    const difference = findFirstDifference(exchange, model)
    if (!difference) return

    // A word that the service has accepted before is not why it refuses a request.
    const isAcceptedWord = exchange.ownWords.includes(difference)
    if (isAcceptedWord && outcome === 'refused') return

    const { place, pointer, message, contract: keywordPointer, keyword } = difference
    if (outcome === 'accepted') noteAcceptance(difference, exchange, report)
    report.expect(
      outcome !== 'accepted',
      {
        evidence: exchange,
        cites: citeInvalidRequest(difference, exchange),
        about: `${keywordPointer} ${keyword}${distinguishAmount(pointer, exchange)}`,
      },
      () => `${operation.id} accepted a request whose ${place}${pointer} is invalid: ${message}.`,
    )
  },
}

/**
 * Notes what the acceptance of an invalid value says of its open question: that the service takes this value. Of a
 * question that responses settle, only that the service does not look at the field, so that it takes any value.
 */
function noteAcceptance(difference: Finding, exchange: Exchange, report: Report): void {
  const { question, pointer } = difference
  if (question === undefined || !isSettledByResponses(difference)) {
    noteEnumValue(pointer, exchange, report)
    return
  }
  report.passed(exchange, { question, statement: NOT_VALIDATED })
}

/**
 * Finds the first difference of a request from a fact, or else the first one from an assumption: last of all, a word
 * of the service's own. Undefined if the request is valid, or if nobody knows whether it is.
 */
function findFirstDifference(exchange: Exchange, model: Model): Finding | undefined {
  const { request, requestDifferences, ownWords } = exchange
  if (requestDifferences.length === 0) return undefined

  // Of a field that comes twice, which of the two values counts is an assumption.
  const { readBody } = model.contract
  const isAmbiguous = request.body !== undefined && readBody(request.body).repeatsAnyField()
  if (isAmbiguous) return undefined

  const differenceFromFact = requestDifferences.find(({ question }) => question === undefined)
  if (differenceFromFact) return differenceFromFact

  // A service takes back what it has shown: that says nothing of what it refuses.
  const differences = requestDifferences.filter(
    ({ pointer }) => !repeatsShownBeneficiary(pointer, { exchange, model }),
  )
  // A word that the service takes, such as a modality, must not hide what else is wrong.
  const otherDifference = differences.find((difference) => !ownWords.includes(difference))
  return otherDifference ?? differences[0]
}

/**
 * Names what is wrong with an amount beyond its notation, for the id of a finding: ` negative` of `-1.00`. That a
 * service takes `1` must not hide that it takes negative amounts too. Empty for any other value.
 */
function distinguishAmount(pointer: string, { requestBody }: Exchange): string {
  const amount = stringAt(requestBody, pointer)
  if (amount === undefined) return ''
  if (NEGATIVE_AMOUNT.test(amount)) return ' negative'
  return FRACTION_OF_CENTAVO.test(amount) ? ' fraction of a centavo' : ''
}

const NEGATIVE_AMOUNT = /^-\d+(\.\d+)?$/
const FRACTION_OF_CENTAVO = /^\d+\.\d{3,}$/

/**
 * Cites what an accepted invalid request contradicts, by what is invalid in it: common practice, the form of refusals,
 * an open question, or a place of the contract that is a fact.
 */
function citeInvalidRequest(difference: Finding, exchange: Exchange): Cites {
  const { question, contract: keywordPointer, place, keyword, pointer } = difference
  const isEmptyParameter = place === 'query' && exchange.query.get(pointer.slice(1)) === ''
  if (isEmptyParameter)
    return { standard: 'common practice: a parameter without a value counts as absent' }

  if (isNullOfOptional(difference, exchange))
    return { standard: 'common practice: an optional field that is null counts as absent' }

  // The validator reads a repeated parameter as an array, which has another type than the contract.
  const isRepeatedParameter = place === 'query' && keyword === 'type'
  // The source document does not mention these.
  const isUnmentioned = place === 'media-type' || place === 'header' || isRepeatedParameter
  if (isUnmentioned) return REFUSAL_FORM
  // That it is accepted shows that the service does not look at the field, and not that it has other values.
  if (isSettledByResponses(difference)) return REFUSAL_FORM

  if (question !== undefined) return { question, statement: 'invalid' }
  return { pointer: keywordPointer }
}

/** Open questions about what a value of the service holds. Only what it shows contradicts the assumption. */
const SETTLED_BY_RESPONSES: ReadonlySet<string> = new Set([
  'account-kinds',
  'account-forms',
  'document-forms',
  'identifiers',
  'timestamp-formats',
])

/** Whether a request differs from an assumption that only responses can contradict. */
function isSettledByResponses({ question }: Finding): boolean {
  return question !== undefined && SETTLED_BY_RESPONSES.has(question)
}

/**
 * Whether a difference from the contract is that an optional field is null. Without such a field, the request has fewer
 * differences. Without a required field it has as many, since the field is missing then.
 */
function isNullOfOptional({ place, pointer }: Finding, exchange: Exchange): boolean {
  const isNull = place === 'body' && valueAt(exchange.requestBody, pointer) === null
  if (!isNull) return false

  const withoutField = {
    ...exchange,
    requestBody: withValue(exchange.requestBody, pointer, undefined),
  }
  const isOptional = listKnownDifferences(withoutField).length < exchange.requestDifferences.length
  return isOptional
}

const refusalsPlaced: Rule = {
  id: 'refusals-placed',
  says: 'The refusal of an invalid request names each invalid field.',
  advice: 'Send a JSON pointer to each invalid field in errors.',
  /**
   * Expects that the refusal of a request names each of its invalid fields in `errors`: `[{ pointer: '/amount' }]`.
   * Only a request that the checker has edited is judged, since only then is it known which fields are invalid.
   */
  read(exchange, { form }, report) {
    const { responseBody, outcome, isVariant } = exchange
    const isCalledInvalid =
      outcome === 'refused' && stringAt(responseBody, '/code') === 'invalid_request'
    if (!isCalledInvalid || !isVariant) return
    // In a form of its own, nothing says where a service names the places.
    const hasOwnForm = form.codePlace !== undefined
    if (hasOwnForm) return

    // The edited fields, and for each the invalid places: `['/amount']` and `[['/amount']]`.
    const edits = listEdits(exchange)
    const placesByEdit = listPlacesByEdit(edits, exchange)
    if (placesByEdit.length === 0) return

    const namedPlaces = readNamedPlaces(responseBody)
    const missing = placesByEdit.find((places) => !isAnyNamed(places, namedPlaces))
    if (!missing) {
      report.passed(exchange, REFUSAL_FORM)
      return
    }

    const [expectedPlace] = missing
    const message = `The refusal names ${namedPlaces.join(', ') || 'no place'}; expected ${expectedPlace}.`
    const about = edits.length === 1 ? 'pointer' : 'pointers'
    report.failed(exchange, REFUSAL_FORM, message, { about })
  },
}

/** Lists the pointers of the fields that a plan has edited in a valid request. */
function listEdits({ intent }: Exchange): readonly string[] {
  if (intent?.edits) return intent.edits
  return intent?.edit ? [intent.edit] : []
}

/** Fields that say which kind of transfer is meant. */
const CHOOSING_FIELDS = ['/type', '/emv', '/initiation_id', '/dict_key']

/**
 * Whether a refusal need not name a place: the whole body, or what depends on which alternative of
 * a transfer the service takes for the meant one. No standard says that.
 */
function isUnplaced(place: string, { operation }: Exchange): boolean {
  return place === '' || (operation?.id === 'createTransfer' && CHOOSING_FIELDS.includes(place))
}

/**
 * Lists, for each edit of a request, the places that it made invalid: a refusal must name one of them. Empty if nobody
 * can say which these are.
 *
 * @example
 * // Edits of `/amount` and `/description`, which both are invalid then:
 * listPlacesByEdit(['/amount', '/description'], exchange) // [['/amount'], ['/description']]
 */
function listPlacesByEdit(
  edits: readonly string[],
  exchange: Exchange,
): readonly (readonly string[])[] {
  const places = exchange.requestDifferences.map(({ pointer }) => pointer)
  if (edits.length === 0 || places.length === 0) return []
  if (places.some((place) => isUnplaced(place, exchange))) return []
  // One edit has caused all differences, wherever they are.
  if (edits.length === 1) return [places]

  const placesByEdit = edits.map((edit) => places.filter((place) => mayMeanField(place, edit)))
  const isEachInvalid = placesByEdit.every((placesOfEdit) => placesOfEdit.length > 0)
  return isEachInvalid ? placesByEdit : []
}

/** Reads the pointers that the errors of a refusal name. */
function readNamedPlaces(shown: unknown): string[] {
  const errors = valueAt(shown, '/errors')
  if (!Array.isArray(errors)) return []
  return errors.map((error) => stringAt(error, '/pointer') ?? '')
}

/** Whether a refusal names one of several places. */
function isAnyNamed(places: readonly string[], namedPlaces: readonly string[]): boolean {
  return places.some((place) => namedPlaces.some((named) => mayMeanField(named, place)))
}

/**
 * Whether a place that a refusal names may mean the field at a pointer: it is the field, is inside it, contains it, or
 * ends with its name, such as `body.amount`. The whole body does not count.
 */
function mayMeanField(place: string, pointer: string): boolean {
  if (place === pointer) return true

  const isInside = place.startsWith(`${pointer}/`)
  const isAround = place !== '' && pointer.startsWith(`${place}/`)
  const lastName = place.split(/[/.]/).at(-1)
  return isInside || isAround || lastName === pointer.slice(1)
}

const refusalsDeclared: Rule = {
  id: 'refusals-declared',
  says: 'A refusal has a code that the contract declares, with the status of that code.',
  advice: 'Take code and status from the error catalogue.',
  needs: ['responseBody'],
  judges: 'refusals',
  /** Expects that a refusal has a declared code, and the status that the contract declares for the code. */
  read(exchange, _, report) {
    const { operation, outcome, status } = exchange
    const code = stringAt(exchange.responseBody, '/code')
    if (outcome !== 'refused' || !operation || code === undefined) return

    const declared = behaviour.refusals[code]
    if (!declared) {
      const message = `${operation.id} refused a request with the code ${code} and ${status}, which the contract does not declare.`
      report.failed(exchange, REFUSAL_FORM, message, { about: code })
      return
    }

    const { responses = [] } = declared
    const statuses = responses.map((response) => response.status)
    report.expect(
      statuses.includes(status),
      {
        evidence: exchange,
        cites: REFUSAL_FORM,
        about: code,
      },
      () =>
        `${operation.id} refused a request with the code ${code} and ${status}, expected ${statuses.join(' or ')}.`,
    )
  },
}

const refusalsCauses: Rule = {
  id: 'refusals-causes',
  says: 'A request that a declared rule forbids is refused.',
  advice: 'Refuse the request before any work, or change the rule in spec/behaviour.',
  settles: [
    'code-forms/refused',
    'key-forms/refused',
    'transfer-beneficiary/refused',
    'transfer-scheduling/refused',
    'insufficient-funds/refused',
    'payer-fields/refused',
    'due-date-fields/refused',
    'due-date-fields/payer',
    'immediate-fields/refused',
    'charge-rules/refused',
    'webhook-url/refused',
  ],
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Expects that a request is refused if there is a declared reason to refuse it (a cause), such as
   * `insufficient_funds` for a transfer of more than the account holds. Nothing is judged if there is none.
   */
  read(exchange, model, report) {
    const causes = findApplicableCauses({ exchange, model })
    for (const cause of causes) {
      const isFailure = exchange.outcome === 'accepted' && !cause.isJudgedElsewhere
      if (isFailure) reportAccepted(cause, { exchange, model, report })

      if (exchange.outcome === 'refused') reportRefused(cause, causes, { exchange, report })
    }
  },
}

/**
 * Reports as passed that a request was refused for a cause, if that is certain.
 *
 * @param causes All declared reasons to refuse the request, with this one.
 */
function reportRefused(
  cause: Cause,
  causes: readonly Cause[],
  { exchange, report }: Omit<RuleContext, 'model'>,
): void {
  if (isRefusedForCause(cause, causes, exchange)) {
    report.passed(exchange, citeCause(cause, 'refused'))
    if (cause.alsoShows) report.passed(exchange, cause.alsoShows)
  }

  // A statement of its own, so that the verdict can say that only the status differs.
  if (hasOtherStatus(cause, causes, exchange))
    report.passed(exchange, citeCause(cause, OTHER_STATUS))
}

/** Whether a request was refused with another status than the declared one of its only cause. */
function hasOtherStatus(cause: Cause, causes: readonly Cause[], exchange: Exchange): boolean {
  const declaredStatus = findDeclaredResponse(cause, exchange)?.status
  const isOnlyCause = causes.length === 1 && !cause.needsCode
  return exchange.isVariant && isOnlyCause && exchange.status !== declaredStatus
}

/** Reports a request that was accepted although a declared rule forbids it. */
function reportAccepted(cause: Cause, { exchange, model, report }: RuleContext): void {
  const { operation, status } = exchange
  const message = `${operation?.id} accepted ${cause.says} (${status}); expected ${cause.code}.`
  report.failed(exchange, citeCause(cause, 'refused'), message, {
    about: `${cause.code} ${cause.says}`,
    impact: 'high',
    mayLag: readsRecentChange({ exchange, model }),
  })
}

/** Whether a check reads a charge so soon after a change that it may not know of it. */
function readsRecentChange({ exchange, model }: RequestContext): boolean {
  const [record] = model.records.findByCode(stringAt(exchange.requestBody, '/emv'))
  return record !== undefined && mayLag(record, { exchange, model })
}

/**
 * Whether a request was certainly refused for one cause: it has the code of the cause, or there is no other
 * cause. Only a variant of an accepted request shows that, since others may be refused for anything.
 *
 * @param causes All declared reasons to refuse the request, with this one.
 */
function isRefusedForCause(cause: Cause, causes: readonly Cause[], exchange: Exchange): boolean {
  if (!exchange.isVariant) return false
  if (stringAt(exchange.responseBody, '/code') === cause.code) return true

  const hasOtherCauses = causes.length > 1
  if (hasOtherCauses || cause.needsCode) return false

  // A 404 may be about a record that the service did not find, unless it is what the contract declares for the cause.
  const isDeclaredAs404 = findDeclaredResponse(cause, exchange)?.status === 404
  return exchange.status !== 404 || isDeclaredAs404
}

/** Which half of a rule a case shows: what it forbids, or what it allows. */
type Half = 'refused' | 'accepted' | typeof OTHER_STATUS

/**
 * Cites what a declared reason to refuse a request (a cause) rests on: a fact, or an open question. Of a
 * question, it cites the half that was judged: that the forbidden is refused, or the allowed accepted.
 */
function citeCause({ code, question, fact, entry }: Cause, half?: Half): Cites {
  const cites = cite({ fact }, { question }, behaviour.refusals[code])
  const ofHalf = 'question' in cites ? { ...cites, statement: half } : cites
  return entry === undefined ? ofHalf : ({ ...ofHalf, entry } as Cites)
}

/** Cites the statement that an acceptance shows: of a key, that keys of its kind are taken, and else `accepted`. */
function citeAccepted(cause: Cause): Cites {
  const cites = citeCause(cause, 'accepted')
  const isOfStatement = cause.shows !== undefined && 'question' in cites
  return isOfStatement ? { ...cites, statement: cause.shows } : cites
}

const refusalsCoded: Rule = {
  id: 'refusals-coded',
  says: 'A refusal has the code and the status that the contract declares for its cause.',
  advice: 'Take code and status from the error catalogue, by the rule that the request breaks.',
  /**
   * Expects that the refusal of a forbidden request has the code and the status that the contract declares for its
   * cause, such as 422 and `insufficient_funds`. Of several causes, that with the shown code counts, or else the
   * first one.
   */
  read(exchange, model, report) {
    const { operation, outcome, status, responseBody } = exchange
    if (outcome !== 'refused' || !exchange.isVariant) return

    const code = stringAt(responseBody, '/code')
    const causes = findApplicableCauses({ exchange, model })
    const cause = causes.find((candidate) => candidate.code === code) ?? causes[0]
    if (!cause || mayHaveOtherReason(code, cause, { exchange, model })) return

    const declared = findDeclaredResponse(cause, exchange)
    if (!declared) return

    // A service whose refusals have no code can only be judged by the status.
    const needsNoCode = code === undefined && !model.contract.refusal.hasCode
    const isCodeRight = code === cause.code || needsNoCode
    report.expect(
      isCodeRight && status === declared.status,
      {
        evidence: exchange,
        cites: citeCodeAndStatus(code, cause),
        about: `${cause.code} ${cause.says}`,
      },
      () =>
        `${operation?.id} refused ${cause.says} with ${status} (${code ?? 'no code'}); expected ${declared.status} (${cause.code}).`,
    )
  },
}

/**
 * Cites what a refusal contradicts that has a wrong code or status: its cause, if the code is that of another
 * cause, and else the form of refusals.
 */
function citeCodeAndStatus(code: string | undefined, cause: Cause): Cites {
  const isDeclared = code !== undefined && Object.hasOwn(behaviour.refusals, code)
  const isOfOtherCause = isDeclared && code !== cause.code
  return isOfOtherCause ? citeCause(cause) : REFUSAL_FORM
}

/** Finds the response that the contract declares for a cause at an operation. */
function findDeclaredResponse({ code }: Cause, { operation }: Exchange) {
  const { responses = [] } = behaviour.refusals[code] ?? {}
  return responses.find(({ operations }) => operations.includes(operation?.id ?? ''))
}

/** Codes for a charge that is wrong, of which a service may choose either. */
const CHARGE_CODES = ['field_missing', 'invalid_charge']

/**
 * Whether a refusal with a code may be right for another reason than the cause that is known: the form of the request,
 * a `tx_id` that was used before, a limit of the service, a date or an end that clocks may see differently, or the other
 * code for a charge that is wrong.
 */
function mayHaveOtherReason(
  code: string | undefined,
  cause: Cause,
  { exchange, model }: RequestContext,
): boolean {
  if (code === 'invalid_request') return true

  const isOfUsedTxId = code === 'tx_id_taken' && model.values.isRepeated(exchange)
  if (isOfUsedTxId) return true

  if (code === undefined || code === cause.code) return false
  if (cause.needsCode) return true
  if (mayBeForDate(code, { exchange, model }) || mayBeForEnd(code, { exchange, model })) return true
  // For a charge that is wrong, the service may choose either code.
  return CHARGE_CODES.includes(code) && CHARGE_CODES.includes(cause.code)
}

const refusalsTrue: Rule = {
  id: 'refusals-true',
  says: 'A refusal names a cause that is there: what is within a declared rule is accepted.',
  advice: 'Compare with the declared limit, which is still allowed.',
  settles: [
    'code-forms/accepted',
    'key-forms/CPF',
    'key-forms/CNPJ',
    'key-forms/PHONE',
    'key-forms/EMAIL',
    'key-forms/EVP',
  ],
  /**
   * Expects that a request is not refused with the code of a cause that the history excludes, such as
   * `insufficient_funds` for less than the account holds.
   */
  read(exchange, model, report) {
    const { outcome, responseBody } = exchange
    if (!model.isComplete || outcome === 'unknown') return

    // The declared reasons to refuse the request. `applies` says whether the history establishes or excludes one.
    const causes = findCauses({ exchange, model })
    // If the request should be refused for one of them, the code of another one may be right too.
    if (causes.some(({ applies }) => applies)) return

    const code = stringAt(responseBody, '/code')
    for (const cause of causes) {
      if (outcome === 'accepted') report.passed(exchange, citeAccepted(cause))
      else if (cause.code === code) reportUntrueCause(cause, exchange, report)
    }
  },
}

/**
 * Reports a refusal with the code of a cause that the history excludes, such as `insufficient_funds` of an account that
 * holds enough. The message says what the code means by the contract (`when`).
 */
function reportUntrueCause(cause: Cause, exchange: Exchange, report: Report): void {
  const { operation, status } = exchange
  const { code, says } = cause
  const { when } = behaviour.refusals[code] ?? {}
  const message = `${operation?.id} refused ${says} (${status} ${code}), which means: ${when} By the history, this is not so.`
  report.failed(exchange, citeCause(cause, 'accepted'), message, { about: code })
}

export const refusalRules = [
  refusalsInvalid,
  refusalsPlaced,
  refusalsDeclared,
  refusalsCauses,
  refusalsCoded,
  refusalsTrue,
]
