import type { Finding } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { operationsAt } from './http.ts'
import { cited, headerOf, judge, REFUSALS, type Rule } from './rule.ts'

const responsesStatus = ofPlace('status', {
  id: 'responses-status',
  says: 'Every response has a status that the contract declares.',
  advice: 'Return a declared status, or declare this one.',
})

const responsesMediaType = ofPlace('media-type', {
  id: 'responses-media-type',
  says: 'Every body has a media type that the contract declares.',
  advice: 'Send the declared content-type.',
})

const responsesHeaders = ofPlace('header', {
  id: 'responses-headers',
  says: 'Every response has the headers that the contract declares.',
  advice: 'Send the declared headers with every response.',
})

const responsesShape = ofPlace('body', {
  id: 'responses-shape',
  says: 'Every body matches its schema.',
  advice: 'Compare the serialized record with its schema.',
})

/** A rule about what the validator finds at one place of a response. */
function ofPlace(place: Finding['place'], about: Pick<Rule, 'id' | 'says' | 'advice'>): Rule {
  return {
    ...about,
    read(exchange, _, report) {
      const { response, operation, request, differences } = exchange
      if (!response || !operation || request.method !== operation.method) return
      // Whether the shorter paths are there is a question of its own.
      if (operation.isAlias && response.status === 404) return
      const found = differences.filter(
        (it) => it.place === place && !isNotationOfOther(it, differences),
      )
      for (const it of found) {
        const message = `${it.pointer || 'The response'}: ${it.message}.`
        report.failed(exchange, citesOf(it, exchange), message, { about: it.contract })
      }
      if (found.length === 0) report.passed(exchange, { pointer: operation.of.pointer })
    },
  }
}

/** The form of all refusals is one question, whatever marks a part of them has. */
function citesOf({ question, contract }: Finding, { status }: Exchange): Cites {
  if (status >= 400) return REFUSALS
  return question === undefined ? { pointer: contract } : { question }
}

/**
 * Whether a string has another format, so that an assumption about how the format is written says
 * nothing of it.
 */
function isNotationOfOther(
  { keyword, question, ...it }: Finding,
  found: readonly Finding[],
): boolean {
  if (keyword !== 'pattern' || question === undefined) return false
  const format = it.contract.replace(/pattern$/, 'format')
  return found.some(({ pointer, contract }) => pointer === it.pointer && contract === format)
}

const responsesKnown: Rule = {
  id: 'responses-known',
  says: 'No response has a field that the contract does not declare.',
  advice: 'Declare the field in the contract, or leave it out.',
  read(exchange, _, report) {
    const cites = { standard: 'fields that the contract does not declare' }
    for (const { pointer, message } of exchange.undeclared)
      report.failed(exchange, cites, `${pointer}: ${message}.`, {
        about: pointer.split('/').at(-1) ?? '',
      })
    if (exchange.undeclared.length === 0) report.passed(exchange, cites)
  },
}

const responsesJson: Rule = {
  id: 'responses-json',
  says: 'A body whose media type is JSON is valid JSON in UTF-8 (RFC 8259, section 8.1).',
  advice: 'Serialize the complete body as JSON, in UTF-8.',
  read(exchange, _, report) {
    const { response, request, shown } = exchange
    const type = headerOf(exchange, 'content-type')
    if (!response || response.text === '' || request.method === 'HEAD' || !/[/+]json\b/i.test(type))
      return
    const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(type) ?? []
    const isUtf8 = /^utf-?8$/i.test(charset) && !response.text.startsWith('\uFEFF')
    const isDecoded =
      !response.text.includes('\uFFFD') || /\uFFFD|\\ud[89a-f]/i.test(request.body ?? '')
    const isRight = shown !== undefined && isUtf8 && isDecoded
    const message = 'Expected valid JSON in UTF-8, got something else.'
    judge(report, exchange, { cites: { fact: 'json-bodies' }, message: !isRight && message })
  },
}

const responsesErrors: Rule = {
  id: 'responses-errors',
  says: 'No request leads to a 5xx.',
  advice: 'Find the request id in the logs of the service, and handle the exception.',
  read(exchange, model, report) {
    const { status } = exchange
    // A 503 is temporary (RFC 9110, section 15.6.4).
    const isError = status >= 500 && status !== 503
    judge(report, exchange, {
      cites: cited(behaviour.refusals.internal_error),
      message: isError && `Expected no server error, got ${status}.`,
      impact: 'critical',
      about: String(status),
      operation: nearestOperation(exchange, model),
    })
  },
}

const responsesReceived: Rule = {
  id: 'responses-received',
  says: 'Every request gets a complete response.',
  advice: 'Find out why the connection ended or timed out, and return problem details instead.',
  read(exchange, model, report) {
    const { response, failure } = exchange
    if (!response && failure === undefined) return
    judge(report, exchange, {
      cites: { standard: 'RFC 9110, section 3.4: a server responds to every request' },
      message: !response && `Expected a response, got none: ${failure}.`,
      impact: 'high',
      operation: nearestOperation(exchange, model),
    })
  },
}

/** The operation of the path, if need be with another method, such as HEAD. */
function nearestOperation({ path, operation }: Exchange, { contract }: Model): string | undefined {
  return (operation ?? operationsAt(contract, path)[0])?.id
}

const responsesInTime: Rule = {
  id: 'responses-in-time',
  says: 'Every response arrives within the time that the user sets.',
  advice: 'Find out what the operation waits for.',
  read(exchange, { responseWithinMs }, report) {
    const { operation, response, completeAt, sentAt } = exchange
    if (responseWithinMs === undefined || !operation || !response) return
    const isLate = completeAt - sentAt > responseWithinMs
    const message = `Expected a response within ${responseWithinMs} ms, waited longer.`
    const cites = { standard: 'the time that the user allows for a response' }
    judge(report, exchange, { cites, message: isLate && message })
  },
}

const secretsHidden: Rule = {
  id: 'secrets-hidden',
  says: 'A secret is shown by the operations that issue it and by no other, and no response repeats a credential.',
  advice: 'Leave the secret out of this response, and rotate it.',
  read(exchange, _, report) {
    const { operation, response } = exchange
    if (!operation || !response) return
    const { shownOnce } = behaviour.resources.webhook
    const isShown = !shownOnce.by.includes(operation.id) && SECRET.test(response.text)
    const message = `${operation.id} shows a secret; expected none in this response.`
    judge(report, exchange, {
      cites: cited(shownOnce),
      message: isShown && message,
      impact: 'high',
    })
    const repeats = `${operation.id} repeats the credential of the request.`
    const standard = 'OWASP API Security Top 10, API3:2023'
    const cites = isTokenOfCaller(exchange) ? { fact: 'impersonation' } : { standard }
    if (repeatsCredential(exchange))
      report.failed(exchange, cites, repeats, { about: 'credential', impact: 'high' })
  },
}

/** Whether an impersonation returns the token that the caller has, which stands for no customer. */
function isTokenOfCaller({ operation, request, shown, by }: Exchange): boolean {
  const token = stringAt(shown, '/access_token')
  if (operation?.id !== 'impersonate' || by?.customer !== undefined || !token) return false
  return request.headers.authorization?.endsWith(token) === true
}

/** The form of secrets in Standard Webhooks. */
const SECRET = /whsec_[A-Za-z0-9+/]{20,}/
/** Shorter credentials may occur by chance. */
const SHORTEST = 12

function repeatsCredential({ request, response }: Exchange): boolean {
  const [, scheme = '', sent = ''] =
    /^(\w+) +(\S.*)$/s.exec(request.headers.authorization ?? '') ?? []
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(sent, 'base64').toString() : ''
  const credentials = [sent, decoded, decoded.slice(decoded.indexOf(':') + 1)]
  return credentials.some((it) => it.length >= SHORTEST && response?.text.includes(it))
}

const secretsNoStack: Rule = {
  id: 'secrets-no-stack',
  says: 'No error shows a stack trace, a source file or an SQL statement of the service.',
  advice: 'Log the exception, and return problem details without it.',
  read(exchange, _, report) {
    if (exchange.status < 400 || !exchange.response) return
    const isShown = TRACES.test(exchange.response.text.replaceAll('\\n', '\n'))
    const message = 'Expected an error message for clients, got internal details of the service.'
    const cites = { standard: 'CWE-209: error messages without internal details' }
    judge(report, exchange, { cites, message: isShown && message, impact: 'high' })
  },
}

/** Stack frames, source files with line numbers, and statements and errors of databases. */
const TRACES =
  /\n[ \t]+at .+[:(]\d+|Traceback \(most recent|\.(?:js|ts|py|go|java|rb):\d+|\bSQLSTATE\b|node_modules|\b(?:SELECT [^"]{1,500} FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/

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

export const secretRules = [secretsHidden, secretsNoStack]
