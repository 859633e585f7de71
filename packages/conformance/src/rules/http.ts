import { stringAt } from '../contract/json.ts'
import type { Model } from '../model.ts'
import { cited, headerOf, judge, type Rule } from './rule.ts'

export const httpChallenge: Rule = {
  id: 'http-challenge',
  says: 'Every 401 names the expected scheme in www-authenticate (RFC 9110, section 15.5.2).',
  advice: 'Send www-authenticate with the scheme.',
  read(exchange, model, report) {
    if (exchange.status !== 401) return
    const challenge = headerOf(exchange, 'www-authenticate')
    const scheme = exchange.operation?.scheme
    const schemes = challenge.split(',').map((it) => it.trim().split(' ', 1)[0]?.toLowerCase())
    const isRight = challenge !== '' && (scheme === undefined || schemes.includes(scheme))
    const message = `Expected a challenge of ${scheme ?? 'a scheme'} with 401, got ${challenge || 'none'}.`
    judge(report, exchange, { cites: refusals(model), message: isRight ? undefined : message })
  },
}

export const httpAllow: Rule = {
  id: 'http-allow',
  says: 'Every 405 lists the methods of the path in allow (RFC 9110, section 15.5.6).',
  advice: 'Send allow with every method of the path.',
  read(exchange, model, report) {
    if (exchange.status !== 405) return
    const [path = ''] = exchange.request.path.split('?', 1)
    const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((it) => model.contract.find(it, path))
    const allowed = headerOf(exchange, 'allow')
      .toUpperCase()
      .split(',')
      .map((it) => it.trim())
    const missing = methods.find((it) => !allowed.includes(it))
    const operation = exchange.operation ?? model.contract.find(methods[0] ?? '', path)?.operation
    const message = `Expected ${missing} in allow, got ${allowed.join(', ') || 'none'}.`
    judge(report, exchange, {
      cites: refusals(model),
      message: missing ? message : undefined,
      operation: operation?.id,
    })
  },
}

export const httpRequestIds: Rule = {
  id: 'http-request-ids',
  says: 'Every response has its own x-request-id, and an error repeats it in request_id.',
  advice: 'Create the id when the request arrives, and send it with every response.',
  read(exchange, model, report) {
    const { response, shown, status, request, operation } = exchange
    if (!response || status < 200) return
    const id = headerOf(exchange, 'x-request-id')
    const isRepeated = status >= 400 && request.method !== 'HEAD' && stringAt(shown, '/request_id') !== id
    const about = id === '' ? 'header' : isRepeated ? 'body' : model.requestIds.has(id) ? 'again' : undefined
    const message = `Expected an x-request-id that is new and is repeated in an error, got ${about === 'header' ? 'none' : 'another'}.`
    judge(report, exchange, {
      cites: refusals(model),
      message: about && message,
      about: about ?? '',
      operation: operation?.id,
    })
  },
}

export const httpProblems: Rule = {
  id: 'http-problems',
  says: 'Every error is a problem details object whose status is that of the response (RFC 9457).',
  advice: 'Send application/problem+json with status equal to the status, and a stable code.',
  read(exchange, model, report) {
    const { status, response, shown, request } = exchange
    if (!response || status < 400 || request.method === 'HEAD') return
    const isProblem = /^application\/problem\+json\b/i.test(headerOf(exchange, 'content-type'))
    const isRight = isProblem && (shown as { status?: unknown } | undefined)?.status === status
    const message = `Expected problem details with status ${status}, got another error.`
    judge(report, exchange, { cites: refusals(model), message: isRight ? undefined : message })
  },
}

export const httpEmpty: Rule = {
  id: 'http-empty',
  says: 'A 204 has no body, and announces none (RFC 9110, section 15.3.5).',
  advice: 'Send neither a body nor content-length with 204.',
  read(exchange, _, report) {
    if (exchange.status !== 204) return
    const isEmpty = exchange.response?.text === '' && /^0?$/.test(headerOf(exchange, 'content-length'))
    const message = 'Expected no body with 204, got one, or a header that announces one.'
    judge(report, exchange, { cites: { fact: 'success-statuses' }, message: isEmpty ? undefined : message })
  },
}

function refusals(model: Model) {
  return cited(model.contract.behaviour.conventions?.refusals)
}
