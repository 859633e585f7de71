import type { Contract, Operation } from '../contract/contract.ts'
import { actionOf } from '../contract/kinds.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { cited, headerOf, judge, type Rule } from './rule.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const httpHead: Rule = {
  id: 'http-head',
  says: 'HEAD returns the status and the headers of GET without a body (RFC 9110, section 9.3.2).',
  advice: 'Handle HEAD as GET, and leave out the body.',
  read(exchange, model, report) {
    const shown = exchange.request.method === 'HEAD' ? model.reads.before(exchange) : undefined
    if (
      !shown?.response ||
      !exchange.response ||
      [exchange, shown].some(({ outcome, status }) => outcome === 'unknown' || status === 429)
    )
      return
    const [types, lengths] = ['content-type', 'content-length'].map((name) =>
      [shown, exchange].map((it) => headerOf(it, name)),
    )
    const differs =
      shown.status !== exchange.status
        ? `${exchange.status} for HEAD; expected ${shown.status}, as for GET`
        : shown.outcome === 'accepted' && types?.[0] !== types?.[1]
          ? `the content-type ${types?.[1] || 'none'} for HEAD; expected that of GET`
          : exchange.response.text !== ''
            ? 'a body for HEAD; expected none'
            : lengths?.[1] === '0' && shown.response.text !== ''
              ? 'the content-length 0 for HEAD; expected that of GET, or none'
              : undefined
    judge(report, exchange, {
      cites: { standard: 'RFC 9110, section 9.3.2' },
      message: differs && `The service returns ${differs}.`,
      operation: shown.operation?.id,
      about: differs?.split(' ')[1] ?? '',
    })
  },
}

export const httpMethods: Rule = {
  id: 'http-methods',
  says: 'A method that a path does not support is refused with 405.',
  advice: 'Return 405 with allow.',
  read(exchange, model, report) {
    const { request, operation, status } = exchange
    const others = operation ? [] : operationsAt(model.contract, pathOf(exchange))
    if (!others[0] || !METHODS.includes(request.method) || status === 0 || [401, 429].includes(status)) return
    const message = `Expected 405 for ${request.method}, got ${status}.`
    judge(report, exchange, {
      cites: cited(model.contract.behaviour.conventions?.refusals),
      message: status === 405 || status >= 500 ? undefined : message,
      operation: others[0].id,
      about: request.method,
    })
  },
}

export const httpSlashes: Rule = {
  id: 'http-slashes',
  says: 'A path is served only with, or only without, its trailing slash.',
  advice: 'Match the exact path.',
  read(exchange, { contract }, report) {
    const path = pathOf(exchange)
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
    const declared = exchange.operation ? undefined : contract.find(exchange.request.method, other)?.operation
    if (!declared || exchange.outcome === 'unknown') return
    const message = `Expected ${path} not to be served as ${other} is, got ${exchange.status}.`
    // The source document does not forbid further paths.
    judge(report, exchange, {
      cites: { standard: 'RFC 3986, section 6.2' },
      message: exchange.outcome === 'accepted' ? message : undefined,
      operation: declared.id,
    })
  },
}

export const httpAliases: Rule = {
  id: 'http-aliases',
  says: 'The shorter paths of the guide are served as the full ones are.',
  advice: 'Call the full path where the shorter one is not served.',
  settles: ['guide-paths/'],
  read(exchange, model, report) {
    const { operation, status, intent } = exchange
    const wasAccepted = model.wasAccepted(intent?.variantOf) === true
    if (!operation?.isAlias || !wasAccepted || !isValid(exchange) || status === 0 || status >= 500) return
    // What the full path did before may be the reason.
    if ([409, 422, 429].includes(status)) return
    const message = `Expected ${operation.method} ${operation.path} to be served as the full path is, got ${status}.`
    judge(report, exchange, {
      cites: cited(model.contract.behaviour.conventions?.aliases),
      message: exchange.outcome === 'accepted' ? undefined : message,
      about: operation.path,
    })
  },
}

export const httpIds: Rule = {
  id: 'http-ids',
  says: 'An unknown or unreadable id is refused with 404 or 400.',
  advice: 'Treat an id as a string, look it up, and return 404.',
  read(exchange, model, report) {
    const { operation, parameters, status, outcome, by } = exchange
    const [id] = Object.values(parameters)
    const kind = model.kinds.find((it) => actionOf(it, operation?.id))
    const isUnknown = kind && id !== undefined && !model.records.find(kind, id) && !model.lostCreation
    if (!model.isComplete || !isUnknown || !by || by.customer || outcome !== 'refused') return
    const message = `Expected 404 for an unknown id, got ${status}.`
    judge(report, exchange, {
      cites: cited(model.contract.behaviour.refusals?.not_found),
      message: [403, 409, 410, 422].includes(status) ? message : undefined,
      about: String(status),
    })
  },
}

function pathOf({ request }: Exchange): string {
  return request.path.split('?', 1)[0] ?? ''
}

/** The operations of a path, whatever their method. */
export function operationsAt(contract: Contract, path: string): Operation[] {
  return METHODS.flatMap((it) => contract.find(it, path)?.operation ?? [])
}
