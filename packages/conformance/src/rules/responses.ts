import type { Finding } from '@partner-payments/validator'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { operationsAt } from './paths.ts'
import { cited, judge, type Rule } from './rule.ts'

export const responsesStatus = ofPlace('status', {
  id: 'responses-status',
  says: 'Every response has a status that the contract declares.',
  advice: 'Return a declared status, or declare this one.',
})

export const responsesMediaType = ofPlace('media-type', {
  id: 'responses-media-type',
  says: 'Every body has a media type that the contract declares.',
  advice: 'Send the declared content-type.',
})

export const responsesHeaders = ofPlace('header', {
  id: 'responses-headers',
  says: 'Every response has the headers that the contract declares.',
  advice: 'Send the declared headers with every response.',
})

export const responsesShape = ofPlace('body', {
  id: 'responses-shape',
  says: 'Every body matches its schema.',
  advice: 'Compare the serialized record with its schema.',
})

export const responsesKnown: Rule = {
  id: 'responses-known',
  says: 'No response has a field that the contract does not declare.',
  advice: 'Declare the field in the contract, or leave it out.',
  read(exchange, _, report) {
    const cites = { standard: 'fields that the contract does not declare' }
    for (const { pointer, message } of exchange.undeclared)
      report.failed(exchange, cites, `${pointer}: ${message}.`, { about: pointer.split('/').at(-1) ?? '' })
    if (exchange.undeclared.length === 0) report.passed(exchange, cites)
  },
}

export const responsesJson: Rule = {
  id: 'responses-json',
  says: 'A body whose media type is JSON is valid JSON in UTF-8 (RFC 8259, section 8.1).',
  advice: 'Serialize the complete body as JSON, in UTF-8.',
  read(exchange, _, report) {
    const { response, request, shown } = exchange
    const type = String(response?.headers['content-type'] ?? '')
    if (!response || response.text === '' || request.method === 'HEAD' || !/[/+]json\b/i.test(type)) return
    const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(type) ?? []
    const isUtf8 = /^utf-?8$/i.test(charset) && !response.text.startsWith('\uFEFF')
    const isDecoded = !response.text.includes('\uFFFD') || /\uFFFD|\\ud[89a-f]/i.test(request.body ?? '')
    const isRight = shown !== undefined && isUtf8 && isDecoded
    const message = 'Expected valid JSON in UTF-8, got something else.'
    judge(report, exchange, { cites: { fact: 'json-bodies' }, message: isRight ? undefined : message })
  },
}

export const responsesErrors: Rule = {
  id: 'responses-errors',
  says: 'No request leads to a 5xx.',
  advice: 'Find the request id in the logs of the service, and handle the exception.',
  read(exchange, model, report) {
    const cites = cited(model.contract.behaviour.refusals?.internal_error)
    const { operation = nearestOperation(exchange, model) } = exchange
    // A 503 is temporary (RFC 9110, section 15.6.4).
    if (exchange.status < 500 || exchange.status === 503) return report.passed(exchange, cites)
    const message = `Expected no server error, got ${exchange.status}.`
    report.failed(exchange, cites, message, {
      impact: 'critical',
      about: String(exchange.status),
      operation: operation?.id,
    })
  },
}

export const responsesReceived: Rule = {
  id: 'responses-received',
  says: 'Every request gets a complete response.',
  advice: 'Find out why the connection ended or timed out, and return problem details instead.',
  read(exchange, model, report) {
    const cites = { standard: 'RFC 9110, section 3.4: a server responds to every request' }
    const { operation = nearestOperation(exchange, model) } = exchange
    if (!exchange.response && exchange.failure === undefined) return
    const message = exchange.response ? undefined : `Expected a response, got none: ${exchange.failure}.`
    judge(report, exchange, { cites, message, impact: 'high', operation: operation?.id })
  },
}

export const responsesInTime: Rule = {
  id: 'responses-in-time',
  says: 'Every response arrives within the time that the user sets.',
  advice: 'Find out what the operation waits for.',
  read(exchange, { responseWithinMs }, report) {
    const { operation, response, completeAt, sentAt } = exchange
    if (responseWithinMs === undefined || !operation || !response) return
    const message = `Expected a response within ${responseWithinMs} ms, waited longer.`
    judge(report, exchange, {
      cites: { standard: 'the time that the user allows for a response' },
      message: completeAt - sentAt > responseWithinMs ? message : undefined,
    })
  },
}

/** The operation of the path with another method, such as HEAD. */
function nearestOperation({ request }: Exchange, { contract }: Model) {
  return operationsAt(contract, request.path.split('?', 1)[0] ?? '')[0]
}

/** A rule about what the validator finds at one place of a response. */
function ofPlace(place: Finding['place'], about: Pick<Rule, 'id' | 'says' | 'advice'>): Rule {
  return {
    ...about,
    read(exchange, model, report) {
      const { response, operation, request } = exchange
      if (!response || !operation || request.method !== operation.method) return
      // Whether the shorter paths are there is a question of its own.
      if (operation.isAlias && response.status === 404) return
      const found = exchange.differences.filter(
        (it) => it.place === place && !isNotationOfOther(it, exchange.differences),
      )
      for (const it of found) {
        const message = `${it.pointer || 'The response'}: ${it.message}.`
        report.failed(exchange, citesOf(it, exchange, model), message, { about: it.contract })
      }
      if (found.length === 0) report.passed(exchange, { pointer: operation.of.pointer })
    },
  }
}

/** The form of all refusals is one question, whatever marks a part of them has. */
function citesOf({ question, contract }: Finding, { status }: Exchange, model: Model): Cites {
  if (status >= 400) return cited(model.contract.behaviour.conventions?.refusals)
  return question === undefined ? { pointer: contract } : { question }
}

/** Whether a string has another format, so that an assumption about how the format is written says nothing of it. */
function isNotationOfOther({ keyword, question, ...it }: Finding, found: readonly Finding[]): boolean {
  if (keyword !== 'pattern' || question === undefined) return false
  const format = it.contract.replace(/pattern$/, 'format')
  return found.some(({ pointer, contract }) => pointer === it.pointer && contract === format)
}
