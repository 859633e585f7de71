import { behaviour } from '../contract/behaviour.ts'
import { readBodySchema } from '../contract/contract.ts'
import { repeatsAnyField, stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import { isValid } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import type { Rule } from './rule.ts'
import { cite, citeStatement, REFUSAL_FORM } from './rule.ts'

const { conventions, refusals } = behaviour

/** A conflict says that the body was read; too many requests, that it may not have been. */
const STATUSES_OF_OTHER_MATTERS = [409, 429]

export const httpBodies: Rule = {
  id: 'http-bodies',
  says: 'A body that is missing, is not valid JSON, has another media type or is too large is refused with the status for it.',
  advice: 'Check the size, the media type and the JSON of a body before anything else.',
  settles: ['body-size/refused'],
  /**
   * Expects that a request whose body cannot be read is refused, with the status for its fault: 413 of one that is too
   * large. Only a request that the checker edited from an accepted one is judged, since nothing else is wrong with it.
   */
  read(exchange, _, report) {
    const { operation, outcome, status } = exchange
    if (!operation || operation.isAlias) return
    if (outcome === 'unknown' || !exchange.isVariant) return
    if (STATUSES_OF_OTHER_MATTERS.includes(status)) return

    const fault = findBodyFault(exchange)
    if (!fault) return

    // Such as `{ words: 'the media type text/plain', expected: 415 }`.
    const { words, expected, cites } = fault
    // Without `cites`, the contract itself calls the body invalid, and the rule refusals-invalid judges an acceptance.
    if (outcome === 'accepted') {
      const message = `${operation.id} accepted ${words} (${status}); expected ${expected}.`
      if (cites) report.failed(exchange, cites, message, { about: words })
      return
    }

    if (cites) report.passed(exchange, cites)
    // The status of a refusal is judged apart, since it rests on another assumption.
    report.expect(
      status === expected,
      {
        evidence: exchange,
        cites: REFUSAL_FORM,
        about: `${words} ${status}`,
      },
      () => `${operation.id} refused ${words} (${status}); expected ${expected}.`,
    )
  },
}

/** What is wrong with a body, apart from its fields. */
interface BodyFault {
  /** Such as `a body that is not valid JSON`. */
  readonly words: string
  /** The status of its refusal. */
  readonly expected: number
  /** Undefined if the contract says that the request is invalid. */
  readonly cites?: Cites
}

/** Bytes of a body, by the assumption about its size. */
const MAX_BODY_BYTES = conventions.bodySize.bytes

/**
 * Finds what is wrong with a body, apart from its fields: it is missing, too large, of another media type
 * or not JSON, or has a field twice. Undefined if nothing is, or if the operation takes no body.
 */
function findBodyFault(exchange: Exchange): BodyFault | undefined {
  const { operation, request, requestBody } = exchange
  const { body, headers } = request
  if (!operation || readBodySchema(operation) === undefined) return undefined

  if (body === undefined || body === '') return { words: 'no body', expected: 400 }

  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    return {
      words: `a body of more than ${MAX_BODY_BYTES / 1024} KB`,
      expected: 413,
      cites: citeSize('refused'),
    }

  const type = headers['content-type']
  const isJson = type !== undefined && /^application\/json *(;|$)/i.test(type)
  if (!isJson) return { words: `the media type ${type ?? 'none'}`, expected: 415 }

  if (requestBody === undefined) return { words: 'a body that is not valid JSON', expected: 400 }

  // If the request is valid with the values that count, the rule http-notations judges it.
  if (repeatsAnyField(body) && !isValid(exchange))
    return {
      words: 'a field twice',
      expected: 400,
      cites: cite(conventions.repeatedFields),
    }

  return undefined
}

/** Cites the assumption about the size of bodies. */
function citeSize(statement: 'refused' | 'accepted'): Cites {
  return citeStatement(conventions.bodySize, statement)
}

/**
 * Statuses that refuse how a request is written: its content (400, 422), and the headers accept (406), content-length
 * (411, 413) and content-type (415).
 */
const NOTATION_STATUSES = [400, 406, 411, 413, 415, 422]

export const httpNotations: Rule = {
  id: 'http-notations',
  says: 'A valid request is accepted in every notation that HTTP and JSON allow.',
  advice: 'Parse media types, schemes and JSON by their standards.',
  settles: ['body-size/accepted'],
  judges: 'refusals',
  /**
   * Expects that a service accepts a request in another notation, such as with spaces in its JSON or with `BEARER`,
   * after it has accepted the same one in the usual notation. A refusal for another reason than the notation, such
   * as a 409, is not judged.
   */
  read(exchange, model, report) {
    if (exchange.outcome === 'accepted') reportRefusedScheme(exchange, model, report)

    const { operation, outcome, intent, isVariant, status } = exchange
    const isOtherNotation = intent?.isNotation === true && isVariant
    if (!operation || operation.isAlias || !isOtherNotation) return
    if (outcome === 'unknown') return
    // It may be refused for what is wrong with it.
    if (findBodyFault(exchange) || !isValid(exchange)) return
    // How a body is written says nothing of who sent it, and a token may have ended: see `reportRefusedScheme`.
    if (status === 401) return

    const isRefusedForNotation =
      NOTATION_STATUSES.includes(status) && !mayBeBusinessRefusal(exchange)
    const hasOtherReason = outcome === 'refused' && !isRefusedForNotation
    if (hasOtherReason) return

    if (isRefusedForNotation) reportNotation(exchange, report)
    else report.passed(exchange, citeNotation(exchange))
  },
}

/**
 * Reports a scheme in another case, such as `bearer`, that was refused with 401. Only when the service accepts the same
 * credential after it, in the usual notation: before that, the credential may have ended.
 */
function reportRefusedScheme(accepted: Exchange, { tokens }: Model, report: Report): void {
  const refused = tokens.findRefusedNotation(accepted)
  if (!refused?.isVariant || refused.responder !== 'service') return
  if (!hasSchemeInOtherCase(refused) || hasSchemeInOtherCase(accepted)) return
  if (findBodyFault(refused) || !isValid(refused)) return

  reportNotation(refused, report)
}

function reportNotation(refused: Exchange, report: Report): void {
  const { operation, status } = refused
  const message = `${operation?.id} refused another notation of a request that it accepts (${status}).`
  report.failed(refused, citeNotation(refused), message, { about: String(status) })
}

/** Whether a rule of the business, such as the balance of an account, may be the reason for a refusal. */
function mayBeBusinessRefusal({ status, responseBody }: Exchange): boolean {
  const code = stringAt(responseBody, '/code')
  return status === 422 && (code === undefined || refusals[code] !== undefined)
}

/** Whether the scheme of the credentials is written in another case, such as `BEARER`. */
function hasSchemeInOtherCase({ authorization = '' }: Exchange): boolean {
  return !authorization.startsWith('Bearer ') && !authorization.startsWith('Basic ')
}

/** Bytes of a body that is written in another way only by its size. */
const LARGE_BODY_BYTES = 10_000

/**
 * Cites the standard or the assumption which allows the notation of a request: the size of its body, the
 * case of its scheme, its headers, or the way in which its JSON is written.
 */
function citeNotation(exchange: Exchange): Cites {
  const { body = '', headers } = exchange.request
  if (Buffer.byteLength(body) > LARGE_BODY_BYTES) return citeSize('accepted')

  // That Bearer and bearer are one scheme does not depend on which scheme tokens have.
  if (hasSchemeInOtherCase(exchange)) return { standard: 'RFC 9110, section 11.1' }

  if (repeatsAnyField(body)) return cite(conventions.repeatedFields)
  // The header accept, such as `*/*`.
  if (headers.accept !== 'application/json') return { standard: 'RFC 9110, section 12.5.1' }

  // The media type, such as `application/json; charset=utf-8`, or else white space and escapes in the JSON.
  const isOtherType = body !== '' && headers['content-type'] !== 'application/json'
  return { standard: isOtherType ? 'RFC 9110, section 8.3.1' : 'RFC 8259, sections 2, 4 and 7' }
}
