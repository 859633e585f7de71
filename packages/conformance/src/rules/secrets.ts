import type { Exchange } from '../model/exchange.ts'
import { cited, judge, type Rule } from './rule.ts'

export const secretsHidden: Rule = {
  id: 'secrets-hidden',
  says: 'A secret is shown by the operations that issue it and by no other, and no response repeats a credential.',
  advice: 'Leave the secret out of this response, and rotate it.',
  read(exchange, model, report) {
    const { operation, response } = exchange
    if (!operation || !response) return
    const { shownOnce } = model.contract.behaviour.resources?.webhook ?? {}
    const isIssuing = shownOnce?.by.includes(operation.id) === true
    const isShown = !isIssuing && FORM.test(response.text)
    const message = `${operation.id} shows a secret; expected none in this response.`
    judge(report, exchange, {
      cites: cited(shownOnce),
      message: isShown ? message : undefined,
      impact: 'high',
    })
    const repeats = `${operation.id} repeats the credential of the request.`
    const standard = 'OWASP API Security Top 10, API3:2023'
    if (repeatsCredential(exchange))
      report.failed(exchange, { standard }, repeats, { about: 'credential', impact: 'high' })
  },
}

export const secretsNoStack: Rule = {
  id: 'secrets-no-stack',
  says: 'No error shows a stack trace, a source file or an SQL statement of the service.',
  advice: 'Log the exception, and return problem details without it.',
  read(exchange, _, report) {
    if (exchange.status < 400 || !exchange.response) return
    const isShown = TRACES.test(exchange.response.text.replaceAll('\\n', '\n'))
    const message = 'Expected an error message for clients, got internal details of the service.'
    judge(report, exchange, {
      cites: { standard: 'CWE-209: error messages without internal details' },
      message: isShown ? message : undefined,
      impact: 'high',
    })
  },
}

/** The form of secrets in Standard Webhooks. */
const FORM = /whsec_[A-Za-z0-9+/]{20,}/
/** Stack frames, source files with line numbers, and statements and errors of databases. */
const TRACES =
  /\n[ \t]+at .+[:(]\d+|Traceback \(most recent|\.(?:js|ts|py|go|java|rb):\d+|\bSQLSTATE\b|node_modules|\b(?:SELECT [^"]{1,500} FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/
/** Shorter credentials may occur by chance. */
const SHORTEST = 12

function repeatsCredential({ request, response }: Exchange): boolean {
  const [, scheme = '', sent = ''] = /^(\w+) +(\S.*)$/s.exec(request.headers.authorization ?? '') ?? []
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(sent, 'base64').toString() : ''
  const credentials = [sent, decoded, decoded.slice(decoded.indexOf(':') + 1)]
  return credentials.some((it) => it.length >= SHORTEST && response?.text.includes(it))
}
