import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import { ISSUING_OPERATIONS, schemeOf } from '../model/tokens.ts'
import type { Cites, Report } from '../report/report.ts'
import { type Rule, readHeader } from './rule.ts'

/** The document says who issues a secret, and not who else may show it. */
const EXCESSIVE_EXPOSURE: Cites = { standard: 'OWASP API Security Top 10, API3:2023' }

const secretsHidden: Rule = {
  id: 'secrets-hidden',
  says: 'A secret is shown by the operations that issue it and by no other, no response repeats a credential, and no cache may keep either.',
  advice: 'Leave the secret out of this response, and rotate it.',
  needs: [],
  judges: 'every-response',
  /**
   * Expects that a response shows no secret of a webhook (`whsec_…`) unless its operation issues one. It must not repeat
   * the credential of its request either, nor let a cache keep the secret or the token that it issues.
   */
  read(exchange, _, report) {
    const { operation, response } = exchange
    if (!operation || !response) return

    const mayShowSecret = behaviour.resources.webhook.shownOnce.by.includes(operation.id)
    report.expect(
      mayShowSecret || !SECRET.test(response.text),
      {
        evidence: exchange,
        cites: EXCESSIVE_EXPOSURE,
        impact: 'high',
      },
      () => `${operation.id} shows a secret; expected none in this response.`,
    )

    if (repeatsCredential(exchange)) reportCredential(exchange, report)

    const canIssueCredential = mayShowSecret || ISSUING_OPERATIONS.has(operation.id)
    const issuesCredential = canIssueCredential && exchange.outcome === 'accepted'
    if (issuesCredential) reportCaching(exchange, report)
  },
}

/** Reports a response that lets caches keep the token or the secret that it issues. */
function reportCaching(exchange: Exchange, report: Report): void {
  const cacheControl = readHeader(exchange, 'cache-control')
  if (!canBeCached(cacheControl)) return

  const message = `${exchange.operation?.id} lets caches keep a token or a secret (cache-control: ${cacheControl}); expected no-store.`
  report.failed(exchange, { standard: 'RFC 6749, section 5.1' }, message, {
    about: 'cache',
    impact: 'high',
  })
}

/**
 * Whether a response lets caches keep it. Without a lifetime, none keeps the response to a POST
 * (RFC 9110, section 9.3.3).
 *
 * @param cacheControl Such as `public, max-age=60`.
 */
function canBeCached(cacheControl: string): boolean {
  const isPrivate = /\b(no-store|no-cache|private)\b/i.test(cacheControl)
  const isPublic = /\bpublic\b|\b(s-maxage|max-age)=[1-9]/i.test(cacheControl)
  return isPublic && !isPrivate
}

/** Reports a response that repeats the credential of its request. */
function reportCredential(exchange: Exchange, report: Report): void {
  const cites = isTokenOfCaller(exchange) ? { fact: 'impersonation' } : EXCESSIVE_EXPOSURE
  const message = `${exchange.operation?.id} repeats the credential of the request.`
  report.failed(exchange, cites, message, { about: 'credential', impact: 'high' })
}

/** Whether an impersonation returns the token that the caller has, which stands for no customer. */
function isTokenOfCaller({ operation, request, responseBody, identity }: Exchange): boolean {
  const standsForCustomer = identity?.customer !== undefined
  if (operation?.id !== 'impersonate' || standsForCustomer) return false

  const newToken = stringAt(responseBody, '/access_token')
  const { authorization } = request.headers
  if (!newToken || authorization === undefined) return false
  return authorization.endsWith(newToken)
}

/** The form of secrets in Standard Webhooks. */
const SECRET = /whsec_[A-Za-z0-9+/]{20,}/

/** Shorter credentials may occur in a response by chance. */
const MIN_CREDENTIAL_LENGTH = 12

/**
 * Whether a response contains the credential of its request: as it was sent, or, of Basic, decoded or only
 * the password.
 */
function repeatsCredential({ request, response }: Exchange): boolean {
  const { authorization } = request.headers
  if (!response || authorization === undefined) return false

  return listSecrets(authorization).some(
    (secret) => secret.length >= MIN_CREDENTIAL_LENGTH && response.text.includes(secret),
  )
}

/**
 * Lists what a header must keep secret: of `Basic a2V5OnNlY3JldA==`, the credential, `key:secret` and `secret`. A
 * service may take a token alone, without a scheme.
 */
function listSecrets(authorization: string): readonly string[] {
  const credential = authorization.replace(/^\S+ +/, '')
  if (schemeOf(authorization) !== 'basic') return [credential]

  const decoded = Buffer.from(credential, 'base64').toString()
  const password = decoded.slice(decoded.indexOf(':') + 1)
  return [credential, decoded, password]
}

const secretsNoStack: Rule = {
  id: 'secrets-no-stack',
  says: 'No error shows a stack trace, a source file or an SQL statement of the service.',
  advice: 'Log the exception, and return problem details without it.',
  needs: [],
  judges: 'every-response',
  /** Expects that an error shows nothing of the inside of the service, such as a stack trace or SQL. */
  read(exchange, _, report) {
    const { status, response } = exchange
    if (status < 400 || !response) return

    // JSON writes a line break as two characters.
    const text = response.text.replaceAll('\\n', '\n')
    report.expect(
      !TRACES.some((trace) => trace.test(text)),
      {
        evidence: exchange,
        cites: { standard: 'CWE-209: error messages without internal details' },
        impact: 'high',
      },
      () => 'Expected an error message for clients, got internal details of the service.',
    )
  },
}

/** What shows the inside of a service. */
const TRACES = [
  // Stack frames of JavaScript and Java, and of Python.
  /\n[ \t]+at .+[:(]\d+/,
  /Traceback \(most recent/,
  // Source files with line numbers.
  /\.(?:js|ts|py|go|java|rb):\d+/,
  /node_modules/,
  // Errors and statements of databases.
  /\bSQLSTATE\b/,
  /\bSELECT [^"]{1,500} FROM\b/,
  /\bINSERT INTO\b/,
  /\bDELETE FROM\b/,
  /\bUPDATE \w+ SET\b/,
]

export const secretRules = [secretsHidden, secretsNoStack]
