import { mayHaveEndedByAge } from '../causes/permissions.ts'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { findKind } from '../contract/kinds.ts'
import { mediaTypeOf } from '../history.ts'
import { type Exchange, findIdInPath, isValid } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { findOperations, METHODS, NOT_IMPLEMENTED } from './methods.ts'
import { cite, quote, REFUSAL_FORM, type Rule, readHeader } from './rule.ts'

/** The service asks the client to send the request later. */
const TOO_MANY_REQUESTS = 429

const httpHead: Rule = {
  id: 'http-head',
  says: 'HEAD returns the status and the headers of GET without a body (RFC 9110, section 9.3.2).',
  advice: 'Handle HEAD as GET, and leave out the body.',
  needs: ['requestHeaders', 'responseHeaders', 'target'],
  judges: 'refusals',
  /** Compares the response to HEAD with that to an earlier GET of the same target. */
  read(exchange, model, report) {
    if (exchange.request.method !== 'HEAD') return

    const get = model.reads.findEarlierRead(exchange)
    if (!get || !isHandled(get) || !isHandled(exchange)) return
    if (mayRefuseEndedToken(exchange, model)) return

    const difference = findHeadDifference(exchange, get)
    report.expect(
      difference === undefined,
      {
        evidence: exchange,
        cites: { standard: 'RFC 9110, section 9.3.2' },
        operation: get.operation?.id,
        about: difference?.about ?? '',
      },
      () => `The service returns ${difference?.words}.`,
    )
  },
}

/** Whether a response says how the service handles the request, and not that it is too busy. */
function isHandled({ response, outcome, status }: Exchange): boolean {
  return response !== undefined && outcome !== 'unknown' && status !== TOO_MANY_REQUESTS
}

/** Whether a 401 may be about a token that has ended since an earlier request. */
function mayRefuseEndedToken(exchange: Exchange, model: Model): boolean {
  const { status, token } = exchange
  return status === 401 && token !== undefined && mayHaveEndedByAge(token, exchange, model)
}

interface HeadDifference {
  /** Such as `a body for HEAD; expected none`. */
  readonly words: string
  /** Names it in the id of the finding. */
  readonly about: string
}

/** Finds how the response to HEAD differs from that to GET; undefined if it does not. */
function findHeadDifference(head: Exchange, get: Exchange): HeadDifference | undefined {
  if (get.status !== head.status)
    return {
      words: `${head.status} for HEAD; expected ${get.status}, as for GET`,
      about: 'for',
    }

  const type = readHeader(head, 'content-type')
  const isOtherType = type !== readHeader(get, 'content-type')
  if (get.outcome === 'accepted' && isOtherType)
    return {
      words: `the content-type ${type || 'none'} for HEAD; expected that of GET`,
      about: 'content-type',
    }

  const hasBody = head.response?.text !== ''
  if (hasBody) return { words: 'a body for HEAD; expected none', about: 'body' }

  const announcesNoBody = readHeader(head, 'content-length') === '0'
  const hasBodyForGet = get.response?.text !== ''
  if (announcesNoBody && hasBodyForGet)
    return {
      words: 'the content-length 0 for HEAD; expected that of GET, or none',
      about: 'content-length',
    }

  return undefined
}

const httpMethods: Rule = {
  id: 'http-methods',
  says: 'A method that a path does not support is refused with 405.',
  advice: 'Return 405 with allow.',
  needs: [],
  judges: 'refusals',
  /**
   * Expects 405 for a method that the contract does not have at a path where it has others: `PUT` at a path of
   * `GET` and `POST`. Does nothing if the request was refused for something that comes before the method.
   */
  read(exchange, model, report) {
    const { request, operation, status, path } = exchange
    if (operation || !METHODS.includes(request.method)) return

    // An operation that the contract has at this path, with another method.
    const [other] = findOperations(model.contract, path)
    if (!other) return
    if (STATUSES_BEFORE_METHOD.includes(status)) return

    if (status === NOT_IMPLEMENTED) {
      reportNotImplemented(exchange, other.id, report)
      return
    }

    // Another rule judges server errors.
    const isServerError = status >= 500
    report.expect(
      status === 405 || isServerError,
      {
        evidence: exchange,
        cites: REFUSAL_FORM,
        operation: other.id,
        about: request.method,
      },
      () => `Expected 405 for ${request.method}, got ${status}.`,
    )
  },
}

/** Reports, once for all operations, that a service returns 501 where the method alone is wrong. */
function reportNotImplemented(exchange: Exchange, operation: string, report: Report): void {
  const message = 'Expected 405 for a method that the path does not have, got 501.'
  report.failed(exchange, REFUSAL_FORM, message, {
    operation,
    about: String(exchange.status),
    isOfAll: true,
  })
}

/** No response, a refusal of the caller, and too many requests: they come before the method is read. */
const STATUSES_BEFORE_METHOD = [0, 401, 403, TOO_MANY_REQUESTS]

const httpSlashes: Rule = {
  id: 'http-slashes',
  says: 'A path is served only with, or only without, its trailing slash.',
  advice: 'Match the exact path.',
  /**
   * Expects that a path which differs from one of the contract only by a slash at its end is not served, such as
   * `/webhooks/` where the contract has `/webhooks`.
   */
  read(exchange, { contract }, report) {
    const { operation, outcome, status, path, request } = exchange
    if (operation || outcome === 'unknown') return

    const otherPath = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
    const declared = contract.find(request.method, otherPath)?.operation
    if (!declared) return

    report.expect(
      outcome !== 'accepted',
      {
        evidence: exchange,
        // The source document does not forbid further paths.
        cites: { standard: 'RFC 3986, section 6.2' },
        operation: declared.id,
      },
      () => `Expected ${path} not to be served as ${otherPath} is, got ${status}.`,
    )
  },
}

/** What the full path did before may be the reason for these statuses. */
const STATUSES_OF_FIRST_CALL = [409, 422, TOO_MANY_REQUESTS]

const httpAliases: Rule = {
  id: 'http-aliases',
  says: 'The shorter paths of the guide are served as the full ones are.',
  advice: 'Call the full path where the shorter one is not served.',
  settles: ['guide-paths/'],
  /**
   * Expects that a request is accepted at a shorter path of the guide (an alias), such as `/pix/out`. Only a request
   * counts that the checker has sent to the full path first, and that was accepted there (`isVariant`).
   */
  read(exchange, _model, report) {
    const { operation, status, outcome } = exchange
    if (!operation?.isAlias || !exchange.isVariant || !isValid(exchange)) return
    const hasFailed = status === 0 || status >= 500
    if (hasFailed) return
    // A value that works once, such as an `initiation_id`, may be used up by the request to the full path.
    if (STATUSES_OF_FIRST_CALL.includes(status)) return

    report.expect(
      outcome === 'accepted',
      {
        evidence: exchange,
        cites: cite(behaviour.conventions.aliases),
        about: operation.path,
      },
      () =>
        `Expected ${operation.method} ${operation.path} to be served as the full path is, got ${status}.`,
    )
  },
}

/** Statuses that say more of an unknown id than that it is unknown or unreadable. */
const STATUSES_OF_KNOWN_ID = [403, 409, 410, 422]

const httpIds: Rule = {
  id: 'http-ids',
  says: 'An unknown or unreadable id is refused with 404 or 400.',
  advice: 'Treat an id as a string, look it up, and return 404.',
  judges: 'refusals',
  /**
   * Expects that a request with an id that no record has is not refused as if a record had it, such as with 403 or
   * 409. Does nothing if a record that the history does not show may have the id.
   */
  read(exchange, model, report) {
    const { operation, status, outcome, identity } = exchange
    if (outcome !== 'refused' || !model.isComplete) return
    // A customer may be refused with 403 for the operation itself.
    const isOfPartner = identity !== undefined && identity.customer === undefined
    if (!isOfPartner) return

    const id = findIdInPath(exchange)
    const kind = findKind(operation?.id)
    if (!kind || id === undefined) return

    // A creation whose outcome is unknown may have created a record with this id.
    const mayBeCreated = model.lostCreation
    if (mayBeCreated || model.records.isShown(kind, id)) return

    report.expect(
      !STATUSES_OF_KNOWN_ID.includes(status),
      {
        evidence: exchange,
        cites: cite(behaviour.refusals.not_found),
        about: String(status),
      },
      () => `Expected 404 for an unknown id, got ${status}.`,
    )
  },
}

const httpChallenge: Rule = {
  id: 'http-challenge',
  says: 'Every 401 names the expected scheme in www-authenticate (RFC 9110, section 15.5.2).',
  advice: 'Send www-authenticate with the scheme.',
  needs: ['responseHeaders'],
  judges: 'refusals',
  /** Expects that a 401 names the scheme of the operation in www-authenticate, such as `Bearer`. */
  read(exchange, _, report) {
    if (exchange.status !== 401) return

    const scheme = exchange.operation?.scheme
    const challenge = readHeader(exchange, 'www-authenticate')
    if (challenge === '') {
      const message = `Expected a challenge of ${scheme ?? 'a scheme'} with 401, got none.`
      report.failed(exchange, REFUSAL_FORM, message)
      return
    }

    // Of `Bearer realm="x", Basic realm="y"`, the schemes `bearer` and `basic`.
    const schemes = splitList(challenge).map((item) => item.split(' ', 1)[0]?.toLowerCase())
    const isRight = scheme === undefined || schemes.includes(scheme)
    // Which scheme tokens have is an open question.
    const cites = scheme === 'bearer' ? cite(behaviour.conventions.tokenScheme) : REFUSAL_FORM
    report.expect(
      isRight,
      { evidence: exchange, cites },
      () => `Expected a challenge of ${scheme} with 401, got ${challenge}.`,
    )
  },
}

const httpAllow: Rule = {
  id: 'http-allow',
  says: 'Every 405 lists the methods of the path in allow (RFC 9110, section 15.5.6).',
  advice: 'Send allow with every method of the path.',
  needs: ['responseHeaders', 'target'],
  /** Expects that a 405 lists in allow each method that the contract has at the path. */
  read(exchange, model, report) {
    if (exchange.status !== 405) return

    const declared = findOperations(model.contract, exchange.path)
    const allowed = splitList(readHeader(exchange, 'allow').toUpperCase())
    const missing = declared.find(({ method }) => !allowed.includes(method))
    report.expect(
      missing === undefined,
      {
        evidence: exchange,
        cites: REFUSAL_FORM,
        operation: (exchange.operation ?? declared[0])?.id,
      },
      () => `Expected ${missing?.method} in allow, got ${allowed.join(', ') || 'none'}.`,
    )
  },
}

const httpRequestIds: Rule = {
  id: 'http-request-ids',
  says: 'Every response has its own x-request-id, and an error repeats it in request_id.',
  advice: 'Create the id when the request arrives, and send it with every response.',
  needs: ['responseHeaders', 'responseBody'],
  judges: 'refusals',
  /** Expects that each response has an x-request-id of its own, which the body of an error repeats. */
  read(exchange, model, report) {
    const { response, status } = exchange
    // An interim response (1xx) is not the one that has the id.
    if (!response || status < 200) return

    const fault = findRequestIdFault(exchange, model)
    report.expect(
      fault === undefined,
      {
        evidence: exchange,
        cites: REFUSAL_FORM,
        about: fault?.about ?? '',
      },
      () => `Expected ${fault?.words}.`,
    )
  },
}

interface RequestIdFault {
  /** Such as `a new x-request-id, got that of an earlier response`. */
  readonly words: string
  /** Names it in the id of the finding. */
  readonly about: string
}

/**
 * Finds what is wrong with the request id of a response: it is missing, the body of an error has another one, or
 * an earlier response had it. Undefined if nothing is wrong.
 */
function findRequestIdFault(
  exchange: Exchange,
  { requestIds, contract }: Model,
): RequestIdFault | undefined {
  // Whether the contract requires the header, and its repetition in the body of an error.
  const { hasRequestId, repeatsRequestId } = contract.refusal
  const id = readHeader(exchange, 'x-request-id')
  if (id === '')
    return hasRequestId ? { words: 'an x-request-id, got none', about: 'header' } : undefined

  const { status, request, responseBody } = exchange
  const hasErrorBody = status >= 400 && request.method !== 'HEAD'
  const idOfBody = stringAt(responseBody, '/request_id')
  const isLeftOutRightly = idOfBody === undefined && !repeatsRequestId
  const isRightInBody = idOfBody === id || isLeftOutRightly
  if (hasErrorBody && !isRightInBody)
    return {
      words: `the x-request-id as /request_id, got ${idOfBody ? 'another one' : 'none'}`,
      about: 'body',
    }

  const isRepeated = requestIds.has(id)
  if (isRepeated)
    return { words: 'a new x-request-id, got that of an earlier response', about: 'again' }

  return undefined
}

const httpProblems: Rule = {
  id: 'http-problems',
  says: 'Every error is a problem details object whose status is that of the response (RFC 9457).',
  advice: 'Send application/problem+json with status equal to the status, and a stable code.',
  needs: ['responseHeaders', 'responseBody'],
  judges: 'refusals',
  readsGateways: true,
  /**
   * Expects that an error has the declared media type, and repeats its status in the body. Something in
   * front of the service, a gateway, may respond in its place, and is only noted.
   */
  read(exchange, { contract }, report) {
    const { status, response, responseBody, request } = exchange
    if (!response || status < 400 || request.method === 'HEAD') return
    if (exchange.responder === 'gateway') {
      reportGateway(exchange, report)
      return
    }

    // What the contract requires of each refusal.
    const { mediaType, hasStatus: mustRepeatStatus } = contract.refusal
    if (mediaTypeOf(exchange) !== mediaType) {
      const shownType = readHeader(exchange, 'content-type') || 'none'
      const message = `Expected the content-type ${mediaType} with ${status}, got ${shownType}.`
      report.failed(exchange, REFUSAL_FORM, message, { about: mediaTypeOf(exchange) })
      return
    }

    const shownStatus = valueAt(responseBody, '/status')
    const isRight = shownStatus === status || !mustRepeatStatus
    report.expect(
      isRight,
      { evidence: exchange, cites: REFUSAL_FORM, about: '' },
      () => `Expected ${status} as /status, as that of the response, got ${quote(shownStatus)}.`,
    )
  },
}

/** Reports that something in front of the service, such as a proxy, responded in its place. */
function reportGateway(exchange: Exchange, report: Report): void {
  const type = readHeader(exchange, 'content-type') || 'no content-type'
  const message = `Something in front of the service responded in its place, with ${type}. Its responses are not judged.`
  const cites = { standard: 'RFC 9110, section 3.7: a gateway acts as the service' }
  report.failed(exchange, cites, message, { about: 'gateway', isOfAll: true })
}

const httpEmpty: Rule = {
  id: 'http-empty',
  says: 'A 204 has no body, and announces none (RFC 9110, section 15.3.5).',
  advice: 'Send neither a body nor content-length with 204.',
  needs: ['responseHeaders'],
  /** Expects that a 204 has no body, and no content-length that announces one. */
  read(exchange, _, report) {
    if (exchange.status !== 204) return

    const length = readHeader(exchange, 'content-length')
    const announcesNoBody = length === '' || length === '0'
    report.expect(
      exchange.response?.text === '' && announcesNoBody,
      { evidence: exchange, cites: { fact: 'success-statuses' } },
      () => 'Expected no body with 204, got one, or a header that announces one.',
    )
  },
}

/** Splits a header that is a list (RFC 9110, section 5.6.1). */
function splitList(header: string): string[] {
  return header.split(',').map((item) => item.trim())
}

export const httpRules = [
  httpHead,
  httpMethods,
  httpSlashes,
  httpAliases,
  httpIds,
  httpChallenge,
  httpAllow,
  httpRequestIds,
  httpProblems,
  httpEmpty,
]
