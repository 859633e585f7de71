import { isCpf } from '@partner-payments/brcode'
import { questionOf } from '@partner-payments/contract'
import { type Finding, stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import { resolveReference } from '../contract/contract.ts'
import { fieldsOf, isWithoutValue, stringAt, valueAt } from '../contract/json.ts'
import { findKind } from '../contract/kinds.ts'
import type { Learned } from '../form/service-form.ts'
import { mediaTypeOf, type ReceivedResponse } from '../history.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { findOperations, NOT_IMPLEMENTED } from './methods.ts'
import {
  cite,
  describeDifference,
  REFUSAL_FORM,
  type Rule,
  readHeader,
  UNIQUE_NAMES,
} from './rule.ts'
import { isOfMasking, MASKING_QUESTION } from './tax-ids.ts'

const responsesStatus = createPlaceRule('status', {
  id: 'responses-status',
  says: 'Every response has a status that the contract declares.',
  advice: 'Return a declared status, or declare this one.',
  needs: [],
  judges: 'refusals',
})

const responsesMediaType = createPlaceRule('media-type', {
  id: 'responses-media-type',
  says: 'Every body has a media type that the contract declares.',
  advice: 'Send the declared content-type.',
  needs: ['responseHeaders'],
  judges: 'refusals',
})

const responsesHeaders = createPlaceRule('header', {
  id: 'responses-headers',
  says: 'Every response has the headers that the contract declares.',
  advice: 'Send the declared headers with every response.',
  needs: ['responseHeaders'],
  judges: 'refusals',
})

const responsesShape = createPlaceRule('body', {
  id: 'responses-shape',
  says: 'Every body matches its schema.',
  advice: 'Compare the serialized record with its schema.',
  needs: ['responseHeaders'],
  judges: 'refusals',
})

/**
 * Reports a record, or a field of one, that a service shows at another place than the declared one: `createTransfer
 * shows the value of that field at /value; expected /data/amount.` The checker has found out where (a learned part),
 * and other rules read it there.
 *
 * @param part Its `name` says what it is, such as `place/transfer/amount`; its `value` is the pointer where
 *   the service shows it.
 */
function reportMovedPart(part: Learned, exchange: Exchange, report: Report): void {
  const { name, value, question } = part
  const { operation } = exchange
  // Undefined if the part is a whole record or list.
  const field = readFieldOfPlace(name)
  const what = field === undefined ? 'what it responds' : 'the value of that field'
  const expected = describePlace(field ?? operation?.record?.pointer)
  const message = `${operation?.id} shows ${what} at ${describePlace(value)}; expected ${expected}.`
  report.failed(exchange, { question }, message, { about: name })
}

/** Reads the pointer of a field from the name of its place: `/amount` of `place/transfer/amount`. */
function readFieldOfPlace(name: string): string | undefined {
  const [prefix, , ...steps] = name.split('/')
  // Other names are those of a whole record or list, such as `list/items`.
  const isOfField = prefix === 'place' && steps.length > 0
  return isOfField ? `/${steps.join('/')}` : undefined
}

/** Describes a pointer for a message: the empty one is that of the whole body, `the top`. */
function describePlace(pointer = ''): string {
  return pointer === '' ? 'the top' : pointer
}

/**
 * Creates a rule that reports the differences from the contract which the validator finds at one place of
 * a response: its status, media type, headers or body.
 *
 * @param about What the rule is, such as its id; `read` is the same for all places.
 */
function createPlaceRule(
  place: Finding['place'],
  about: Pick<Rule, 'id' | 'says' | 'advice' | 'needs' | 'judges'>,
): Rule {
  return {
    ...about,
    /** Reports each difference of a response at this place (`place`); a response without any passes. */
    read(exchange, _, report) {
      const { response, operation, request, differences } = exchange
      if (!response || !operation || request.method !== operation.method) return

      // Whether a service has the shorter paths of the guide is an open question.
      if (operation.isAlias && response.status === 404) return

      // What the service shows at another place than the declared one.
      const movedParts = place === 'body' ? exchange.places : []
      for (const part of movedParts) reportMovedPart(part, exchange, report)

      const reported: Finding[] = []
      for (const difference of differences) {
        if (difference.place !== place) continue
        // The rule responses-known reports each undeclared field, and the broken format is reported for its pattern.
        if (isOfUndeclaredFields(difference)) continue
        if (belongsToOtherFormat(difference, differences)) continue
        reported.push(difference)
      }
      for (const difference of reported) reportDifference(difference, exchange, report)

      const isRight = reported.length === 0 && movedParts.length === 0
      if (isRight) report.passed(exchange, { pointer: operation.declaration.pointer })
    },
  }
}

/**
 * Reports one difference between a response and the contract, with what it contradicts. JSON with another
 * media type contradicts a standard, and not the schema.
 */
function reportDifference(difference: Finding, exchange: Exchange, report: Report): void {
  if (isJsonOfOtherType(difference, exchange)) {
    reportMediaType(exchange, report)
    return
  }

  if (exchange.status === RATE_LIMITED) {
    reportDifferenceOfRateLimit(difference, exchange, report)
    return
  }

  // Where the contract has the broken keyword, such as `…/Transfer/required`.
  const { contract: keywordPointer } = difference
  report.failed(
    exchange,
    citeDifference(difference, exchange),
    sayDifference(difference, exchange),
    {
      about: keywordPointer + distinguishDifference(difference, exchange),
      keyword: keywordPointer,
    },
  )
}

const RATE_LIMITED = 429

/**
 * Reports one difference between a refusal by the rate limit (429), such as a missing `retry-after`, and the contract.
 * Which operations exceed the limit is chance, so that all have one finding.
 */
function reportDifferenceOfRateLimit(
  difference: Finding,
  exchange: Exchange,
  report: Report,
): void {
  const cites = citeDifference(difference, exchange)
  // Refusals of other requests show the form of refusals, and do not depend on chance.
  if (cites === REFUSAL_FORM) return

  const { contract: keywordPointer, pointer } = difference
  report.failed(exchange, cites, sayDifference(difference, exchange), {
    // The keyword is another one in each operation, and the place of the value is the same.
    about: pointer + distinguishDifference(difference, exchange),
    keyword: keywordPointer,
    isOfAll: true,
  })
}

/** Says a difference in a sentence: `/amount: expected string, got integer.` One outside of the body has no pointer. */
function sayDifference(difference: Finding, { untranslatedBody }: Exchange): string {
  const words = describeDifference(difference, untranslatedBody)
  return `${difference.pointer || 'The response'}: ${words}.`
}

/** Whether a success has JSON with another media type than that of JSON. */
function isJsonOfOtherType({ place }: Finding, { status, untranslatedBody }: Exchange): boolean {
  const isJson = untranslatedBody !== undefined
  return place === 'media-type' && status < 400 && isJson
}

/**
 * Reports a success whose JSON has another media type than `application/json`. The document says that bodies are JSON,
 * and names no media type, so that this contradicts a standard.
 */
function reportMediaType(exchange: Exchange, report: Report): void {
  const type = mediaTypeOf(exchange) || 'no media type'
  const cites = { standard: 'RFC 8259, section 11: the media type of JSON' }
  const message = `Expected JSON as application/json, got ${type}.`
  report.failed(exchange, cites, message, { about: type, isOfAll: true })
}

/**
 * Distinguishes a difference from others at the same place of the contract, for the id of its finding: ` text/html` of
 * a media type, or ` whole` of a tax ID that should be masked. Empty for any other difference.
 */
function distinguishDifference({ place, pointer, question }: Finding, exchange: Exchange): string {
  if (place === 'media-type') return ` ${mediaTypeOf(exchange)}`

  const value = stringAt(exchange.untranslatedBody, pointer)
  const isUnmasked = question === 'owner-masking' && value !== undefined && isCpf(value)
  return isUnmasked ? ' whole' : ''
}

/**
 * Cites what a difference between a response and the contract contradicts: the open question that marks the
 * field, or the contract itself, as a fact. All refusals rest on one question about their form.
 */
function citeDifference(difference: Finding, exchange: Exchange): Cites {
  const { contract: keywordPointer, place, pointer } = difference
  const { status, responseBody } = exchange
  const isRetryAfter = place === 'header' && pointer === '/retry-after'
  if (status === RATE_LIMITED && isRetryAfter) return cite(behaviour.refusals.rate_limited)
  if (status >= 400) return REFUSAL_FORM

  const question = findQuestionOfMissing(difference, exchange) ?? difference.question
  // A place of the contract without an open question is a fact.
  if (question === undefined) return { pointer: keywordPointer }

  // A masked tax ID, or a word such as `n/a`, has not the form of the field for another reason.
  if (isOfMasking(difference, responseBody)) return MASKING_QUESTION
  const isWordForNothing = isWithoutValue(valueAt(responseBody, pointer))
  return isWordForNothing ? cite(behaviour.conventions.absentValues) : { question }
}

/**
 * Finds the open question about a required field that is missing: the one that marks the field in the contract, which
 * is more exact than that of the object around it. Undefined for any other difference.
 */
function findQuestionOfMissing(
  { keyword, contract: keywordPointer, pointer, question }: Finding,
  { operation }: Exchange,
): string | undefined {
  if (keyword !== 'required' || question === undefined || !operation) return undefined
  const { document } = operation.validator
  const missingField = stepsOf(pointer).at(-1) ?? ''
  // A record without its status, which may have another name, says nothing of the statuses that there are.
  const isOfStatuses = missingField === 'status' && findKind(operation.id) !== undefined
  if (isOfStatuses) return undefined

  // In a schema, `properties` stands beside `required`: `…/Transfer/required` and `…/Transfer/properties`.
  const propertiesPointer = keywordPointer.replace(/required$/, 'properties')
  const properties = fieldsOf(valueAt(document, propertiesPointer))
  return questionOf(resolveReference(document, properties[missingField]))
}

/**
 * Whether a string breaks a `pattern` and also the `format` beside it, as `abc` breaks both that of a time in UTC and
 * that of any time. Only the format is reported then: the pattern is an assumption about how the format is written.
 */
function belongsToOtherFormat(difference: Finding, differences: readonly Finding[]): boolean {
  if (difference.keyword !== 'pattern' || difference.question === undefined) return false

  const formatPointer = difference.contract.replace(/pattern$/, 'format')
  return differences.some(({ pointer, contract: keywordPointer }) => {
    const isOfSameValue = pointer === difference.pointer
    return isOfSameValue && keywordPointer === formatPointer
  })
}

/**
 * Whether an object only has too many fields. The document forbids no further field, and the rule
 * `responses-known` reports each one.
 */
function isOfUndeclaredFields({ keyword }: Finding): boolean {
  return keyword === 'maxProperties'
}

const responsesKnown: Rule = {
  id: 'responses-known',
  says: 'No response has a field that the contract does not declare.',
  advice: 'Declare the field in the contract, or leave it out.',
  needs: ['responseHeaders'],
  judges: 'refusals',
  /** Reports each field of a response that the contract does not declare. */
  read(exchange, _, report) {
    if (!exchange.response) return
    const cites = { standard: 'fields that the contract does not declare' }
    if (exchange.undeclared.length === 0) report.passed(exchange, cites)

    for (const { pointer, message } of exchange.undeclared) {
      const about = pointer.split('/').at(-1) ?? ''
      report.failed(exchange, cites, `${pointer}: ${message}.`, { about })
    }
  },
}

const responsesJson: Rule = {
  id: 'responses-json',
  says: 'A body whose media type is JSON is valid JSON in UTF-8 (RFC 8259, section 8.1).',
  advice: 'Serialize the complete body as JSON, in UTF-8.',
  needs: ['responseHeaders'],
  judges: 'refusals',
  /**
   * Expects that a body whose media type is JSON can be read as JSON in UTF-8, has each field once, and names no other
   * charset. Any other body is not judged.
   */
  read(exchange, { contract }, report) {
    const { response, request, responseBody, unknown, status } = exchange
    if (!response || response.text === '' || request.method === 'HEAD') return
    // A body that is nested too deeply is not read: the empty pointer stands for all of it.
    const isBodyUnread = unknown.responseBody.includes('')
    if (isBodyUnread) return

    const type = readHeader(exchange, 'content-type')
    const isJson = /[/+]json\b/i.test(type)
    if (!isJson) return

    const fault = findJsonFault(response, responseBody)
    // The document shows no body of an error.
    const cites = status < 400 ? { fact: 'json-bodies' } : REFUSAL_FORM
    if (fault !== undefined) {
      report.failed(exchange, cites, `Expected valid JSON in UTF-8, got ${fault}.`)
      return
    }

    report.passed(exchange, cites)
    const hasRepeatedField = contract.readBody(response.text).repeatsAnyField()
    if (hasRepeatedField) reportRepeatedField(exchange, report)
    reportOtherCharset(exchange, type, report)
  },
}

/** Reports JSON that has a field twice. */
function reportRepeatedField(exchange: Exchange, report: Report): void {
  const message = 'Expected each field of an object once, got one twice.'
  report.failed(exchange, UNIQUE_NAMES, message, { about: 'repeated field', impact: 'high' })
}

/** Reports a media type that names another charset than UTF-8. */
function reportOtherCharset(exchange: Exchange, type: string, report: Report): void {
  const charset = readOtherCharset(type)
  if (charset === undefined) return

  const message = `The content-type names charset=${charset}, which means nothing for JSON.`
  report.failed(exchange, { standard: 'RFC 8259, section 11' }, message, {
    about: charset,
    isOfAll: true,
  })
}

/**
 * Finds what a body is instead of JSON in UTF-8, such as `bytes of another encoding`; undefined if it is
 * JSON.
 *
 * @param shown The parsed body; undefined if it could not be parsed.
 */
function findJsonFault(
  { text, hasInvalidUtf8 }: ReceivedResponse,
  shown: unknown,
): string | undefined {
  if (text.startsWith('\uFEFF')) return 'JSON after a byte order mark'
  if (hasInvalidUtf8) return 'bytes of another encoding'
  return shown === undefined ? 'something else' : undefined
}

/** Reads the charset that a media type names, in lower case; undefined if it is UTF-8, or none. */
function readOtherCharset(type: string): string | undefined {
  const [, charset] = /;\s*charset="?([^";\s]+)/i.exec(type.toLowerCase()) ?? []
  const isUtf8 = charset === 'utf-8' || charset === 'utf8'
  return isUtf8 ? undefined : charset
}

/** Temporary (RFC 9110, section 15.6.4). */
const SERVICE_UNAVAILABLE = 503

const responsesErrors: Rule = {
  id: 'responses-errors',
  says: 'No request leads to a 5xx.',
  advice: 'Find the request id in the logs of the service, and handle the exception.',
  needs: [],
  judges: 'every-response',
  /** Expects that a response is no server error. A 503 says that the service is busy, which is allowed. */
  read(exchange, model, report) {
    const { status, operation, response } = exchange
    if (!response) return
    // The rule http-methods judges the refusal of an unknown method with 501.
    const isUnknownMethod = status === NOT_IMPLEMENTED && !operation
    const isError = status >= 500 && status !== SERVICE_UNAVAILABLE && !isUnknownMethod
    report.expect(
      !isError,
      {
        evidence: exchange,
        // The contract declares the form of a 5xx; that there is none is common practice.
        cites: { standard: 'RFC 9110, section 15.6: the server is aware that it has erred' },
        operation: findNearestOperation(exchange, model),
        about: String(status),
        impact: 'critical',
      },
      () => `Expected no server error, got ${status}.`,
    )
  },
}

const responsesReceived: Rule = {
  id: 'responses-received',
  says: 'Every request gets a complete response.',
  advice: 'Find out why the connection ended or timed out, and return problem details instead.',
  needs: [],
  judges: 'every-response',
  /** Expects that a request got a response, and not a failure such as a connection that ended. */
  read(exchange, model, report) {
    const { response, failure } = exchange
    // A recording may lack the response without saying why.
    if (!response && failure === undefined) return

    report.expect(
      response !== undefined,
      {
        evidence: exchange,
        cites: { standard: 'RFC 9110, section 3.4: a server responds to every request' },
        operation: findNearestOperation(exchange, model),
        impact: 'high',
      },
      () => `Expected a response, got none: ${failure}.`,
    )
  },
}

/** Finds the operation of a request, or else one of its path with another method, such as HEAD. */
function findNearestOperation(
  { path, operation }: Exchange,
  { contract }: Model,
): string | undefined {
  if (operation) return operation.id

  const [operationOfPath] = findOperations(contract, path)
  return operationOfPath?.id
}

const responsesInTime: Rule = {
  id: 'responses-in-time',
  says: 'Every response arrives within the time that the user sets.',
  advice: 'Find out what the operation waits for.',
  needs: ['times'],
  judges: 'every-response',
  /** Expects that a response arrived within the time that the user sets, if one is set. */
  read(exchange, { responseWithinMs }, report) {
    const { operation, response, completeAt, sentAt } = exchange
    if (responseWithinMs === undefined || !operation || !response) return

    report.expect(
      completeAt - sentAt <= responseWithinMs,
      {
        evidence: exchange,
        cites: { standard: 'the time that the user allows for a response' },
      },
      () => `Expected a response within ${responseWithinMs} ms, waited longer.`,
    )
  },
}

export const responseRules = [
  responsesStatus,
  responsesMediaType,
  responsesHeaders,
  responsesShape,
  responsesKnown,
  responsesJson,
  responsesErrors,
  responsesReceived,
  responsesInTime,
]
