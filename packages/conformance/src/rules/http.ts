import { behaviour } from '../contract/behaviour.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { kindOf } from '../contract/kinds.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { cited, headerOf, judge, quoted, REFUSALS, type Rule } from './rule.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const httpHead: Rule = {
  id: 'http-head',
  says: 'HEAD returns the status and the headers of GET without a body (RFC 9110, section 9.3.2).',
  advice: 'Handle HEAD as GET, and leave out the body.',
  read(exchange, model, report) {
    const shown = exchange.request.method === 'HEAD' ? model.reads.before(exchange) : undefined
    const isJudged = (it: Exchange | undefined) =>
      it?.response && it.outcome !== 'unknown' && it.status !== 429
    if (!shown || !isJudged(shown) || !isJudged(exchange)) return
    const differs = differenceOfHead(exchange, shown)
    judge(report, exchange, {
      cites: { standard: 'RFC 9110, section 9.3.2' },
      message: differs && `The service returns ${differs}.`,
      operation: shown.operation?.id,
      about: differs?.split(' ')[1] ?? '',
    })
  },
}

function differenceOfHead(head: Exchange, get: Exchange): string | undefined {
  const [type, expected] = [head, get].map((it) => headerOf(it, 'content-type'))
  if (get.status !== head.status)
    return `${head.status} for HEAD; expected ${get.status}, as for GET`
  if (get.outcome === 'accepted' && type !== expected)
    return `the content-type ${type || 'none'} for HEAD; expected that of GET`
  if (head.response?.text !== '') return 'a body for HEAD; expected none'
  const isZero = headerOf(head, 'content-length') === '0' && get.response?.text !== ''
  return isZero ? 'the content-length 0 for HEAD; expected that of GET, or none' : undefined
}

const httpMethods: Rule = {
  id: 'http-methods',
  says: 'A method that a path does not support is refused with 405.',
  advice: 'Return 405 with allow.',
  read(exchange, model, report) {
    const { request, operation, status } = exchange
    const [other] = operation ? [] : operationsAt(model.contract, exchange.path)
    if (!other || !METHODS.includes(request.method) || [0, 401, 429].includes(status)) return
    const message = `Expected 405 for ${request.method}, got ${status}.`
    const isWrong = status !== 405 && status < 500
    const at = { operation: other.id, about: request.method }
    judge(report, exchange, { cites: REFUSALS, message: isWrong && message, ...at })
  },
}

const httpSlashes: Rule = {
  id: 'http-slashes',
  says: 'A path is served only with, or only without, its trailing slash.',
  advice: 'Match the exact path.',
  read(exchange, { contract }, report) {
    const path = exchange.path
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
    const declared = exchange.operation
      ? undefined
      : contract.find(exchange.request.method, other)?.operation
    if (!declared || exchange.outcome === 'unknown') return
    const isServed = exchange.outcome === 'accepted'
    const message = `Expected ${path} not to be served as ${other} is, got ${exchange.status}.`
    // The source document does not forbid further paths.
    const cites = { standard: 'RFC 3986, section 6.2' }
    judge(report, exchange, { cites, message: isServed && message, operation: declared.id })
  },
}

const httpAliases: Rule = {
  id: 'http-aliases',
  says: 'The shorter paths of the guide are served as the full ones are.',
  advice: 'Call the full path where the shorter one is not served.',
  settles: ['guide-paths/'],
  read(exchange, _model, report) {
    const { operation, status, outcome } = exchange
    if (
      !operation?.isAlias ||
      !exchange.isVariant ||
      !isValid(exchange) ||
      status === 0 ||
      status >= 500
    )
      return
    // What the full path did before may be the reason.
    if ([409, 422, 429].includes(status)) return
    const message = `Expected ${operation.method} ${operation.path} to be served as the full path is, got ${status}.`
    const cites = cited(behaviour.conventions.aliases)
    judge(report, exchange, {
      cites,
      message: outcome !== 'accepted' && message,
      about: operation.path,
    })
  },
}

const httpIds: Rule = {
  id: 'http-ids',
  says: 'An unknown or unreadable id is refused with 404 or 400.',
  advice: 'Treat an id as a string, look it up, and return 404.',
  read(exchange, model, report) {
    const { operation, parameters, status, outcome, by } = exchange
    const [id] = Object.values(parameters)
    const kind = kindOf(operation?.id)
    const isUnknown =
      kind && id !== undefined && !model.records.isShown(kind, id) && !model.lostCreation
    if (!model.isComplete || !isUnknown || !by || by.customer || outcome !== 'refused') return
    const cites = cited(behaviour.refusals.not_found)
    const message = `Expected 404 for an unknown id, got ${status}.`
    const isWrong = [403, 409, 410, 422].includes(status)
    judge(report, exchange, { cites, message: isWrong && message, about: String(status) })
  },
}

const httpChallenge: Rule = {
  id: 'http-challenge',
  says: 'Every 401 names the expected scheme in www-authenticate (RFC 9110, section 15.5.2).',
  advice: 'Send www-authenticate with the scheme.',
  read(exchange, _, report) {
    if (exchange.status !== 401) return
    const challenge = headerOf(exchange, 'www-authenticate')
    const scheme = exchange.operation?.scheme
    const schemes = listIn(challenge).map((it) => it.split(' ', 1)[0]?.toLowerCase())
    const isRight = challenge !== '' && (scheme === undefined || schemes.includes(scheme))
    const message = `Expected a challenge of ${scheme ?? 'a scheme'} with 401, got ${challenge || 'none'}.`
    judge(report, exchange, { cites: REFUSALS, message: !isRight && message })
  },
}

const httpAllow: Rule = {
  id: 'http-allow',
  says: 'Every 405 lists the methods of the path in allow (RFC 9110, section 15.5.6).',
  advice: 'Send allow with every method of the path.',
  read(exchange, model, report) {
    if (exchange.status !== 405) return
    const declared = operationsAt(model.contract, exchange.path)
    const allowed = listIn(headerOf(exchange, 'allow').toUpperCase())
    const missing = declared.find(({ method }) => !allowed.includes(method))?.method
    const message = `Expected ${missing} in allow, got ${allowed.join(', ') || 'none'}.`
    const operation = (exchange.operation ?? declared[0])?.id
    judge(report, exchange, { cites: REFUSALS, message: missing && message, operation })
  },
}

const httpRequestIds: Rule = {
  id: 'http-request-ids',
  says: 'Every response has its own x-request-id, and an error repeats it in request_id.',
  advice: 'Create the id when the request arrives, and send it with every response.',
  read(exchange, model, report) {
    const { response, shown, status, request } = exchange
    if (!response || status < 200) return
    const id = headerOf(exchange, 'x-request-id')
    const isOther =
      status >= 400 && request.method !== 'HEAD' && stringAt(shown, '/request_id') !== id
    const about = id === '' ? 'header' : isOther ? 'body' : model.requestIds.has(id) ? 'again' : ''
    const got = about === 'header' ? 'none' : 'another'
    const message = `Expected an x-request-id that is new and is repeated in an error, got ${got}.`
    judge(report, exchange, { cites: REFUSALS, message: about && message, about })
  },
}

const httpProblems: Rule = {
  id: 'http-problems',
  says: 'Every error is a problem details object whose status is that of the response (RFC 9457).',
  advice: 'Send application/problem+json with status equal to the status, and a stable code.',
  read(exchange, _, report) {
    const { status, response, shown, request } = exchange
    if (!response || status < 400 || request.method === 'HEAD') return
    const [type, own] = [headerOf(exchange, 'content-type'), valueAt(shown, '/status')]
    const isProblem = /^application\/problem\+json\b/i.test(type)
    const isRight = isProblem && own === status
    const message = isProblem
      ? `Expected ${status} as /status, as that of the response, got ${quoted(own)}.`
      : `Expected the content-type application/problem+json with ${status}, got ${type || 'none'}.`
    judge(report, exchange, { cites: REFUSALS, message: !isRight && message })
  },
}

const httpEmpty: Rule = {
  id: 'http-empty',
  says: 'A 204 has no body, and announces none (RFC 9110, section 15.3.5).',
  advice: 'Send neither a body nor content-length with 204.',
  read(exchange, _, report) {
    if (exchange.status !== 204) return
    const isEmpty =
      exchange.response?.text === '' && /^0?$/.test(headerOf(exchange, 'content-length'))
    const message = 'Expected no body with 204, got one, or a header that announces one.'
    judge(report, exchange, { cites: { fact: 'success-statuses' }, message: !isEmpty && message })
  },
}

/** The operations of a path, whatever their method. */
export function operationsAt(contract: Contract, path: string): Operation[] {
  return METHODS.flatMap((it) => contract.find(it, path)?.operation ?? [])
}

/** The items of a header that is a list (RFC 9110, section 5.6.1). */
function listIn(header: string): string[] {
  return header.split(',').map((it) => it.trim())
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
