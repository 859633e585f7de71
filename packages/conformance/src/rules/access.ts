import { stringAt } from '../contract/json.ts'
import { actionOf } from '../contract/kinds.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { type KnownRecord, owns } from '../model/records.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import { cited, judge, type Rule } from './rule.ts'

export const accessCredentials: Rule = {
  id: 'access-credentials',
  says: 'A request without credentials, or with unknown ones, is refused with 401.',
  advice: 'Check the header authorization before anything else, and compare all of the credentials.',
  read(exchange, model, report) {
    const { operation, request, status, outcome } = exchange
    const words = wrongCredentials(exchange, model)
    if (!operation || words === undefined || outcome === 'unknown' || status === 405) return
    const { conventions = {} } = model.contract.behaviour
    const isInQuery = exchange.query.has('access_token') && request.headers.authorization === undefined
    const cites = isInQuery ? cited(conventions.tokenScheme) : requiredBy(operation.scheme, model)
    const accepted = `${operation.id} with ${words} was accepted (${status}); expected 401.`
    if (outcome === 'accepted') report.failed(exchange, cites, accepted, { about: words, impact: 'critical' })
    else if (status === 401) report.passed(exchange, cites)
    else if (isRefusedForThem(exchange)) {
      const other = `${operation.id} with ${words} was refused with ${status}; expected 401.`
      report.failed(exchange, cited(conventions.refusals), other, { about: `${words} ${status}` })
    }
  },
}

export const accessTokens: Rule = {
  id: 'access-tokens',
  says: 'Only an access token in its scheme, and within its lifetime, is accepted.',
  advice: 'Look the token up with its kind and its expiration, and read it from the declared scheme only.',
  settles: ['auth-scheme/', 'refresh-token/', 'token-expiration-unit/'],
  read(exchange, model, report) {
    const { token, operation, outcome, request } = exchange
    if (!token || !operation || outcome === 'unknown') return
    const { conventions = {}, lifetimes = {} } = model.contract.behaviour
    const isLate = model.timeAt(exchange.sentAt) > token.until + MARGIN
    const scheme = schemeOf(request.headers.authorization)
    const [about, words, source] =
      token.kind === 'refresh'
        ? ['refresh', 'a refresh token', conventions.refreshToken]
        : scheme !== 'bearer'
          ? ['scheme', 'the token in another scheme', conventions.tokenScheme]
          : isLate
            ? ['expired', 'an expired token', lifetimes['access-token']]
            : []
    if (about === undefined || !source) {
      const lifetime = cited(lifetimes['access-token'])
      const early = `${operation.id} refused a token before its expiration.`
      if (outcome === 'accepted') report.passed(exchange, cited(conventions.tokenScheme))
      else if (isEndedEarly(exchange, model))
        report.failed(exchange, lifetime, early, { about: 'early', operation: token.issuedBy })
      return
    }
    const message = `${operation.id} accepted ${words}; expected 401.`
    judge(report, exchange, {
      cites: cited(source),
      message: outcome === 'accepted' ? message : undefined,
      about,
      impact: 'high',
    })
  },
}

/** Milliseconds by which clocks may differ. */
const MARGIN = 5_000

/** Whether the last token of its identity is refused although time has passed, but not all that it has. */
function isEndedEarly({ token, status, sentAt }: Exchange, model: Model): boolean {
  if (!token || status !== 401 || !model.tokens.isLatest(token) || !model.tokens.wasAccepted(token))
    return false
  const now = model.timeAt(sentAt)
  return now < token.until - MARGIN && now - token.issuedAt > 60_000
}

export const accessKinds: Rule = {
  id: 'access-kinds',
  says: 'Operations for partners refuse the token of a customer with 403.',
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  settles: ['token-permissions/'],
  read(exchange, model, report) {
    const { operation, by, status } = exchange
    if (!isCurrent(exchange, model) || !by?.customer || !isForPartners(exchange, model)) return
    const { permissions = {} } = model.contract.behaviour
    const message = `${operation?.id} returns ${status} for the token of a customer; expected 403.`
    const isMissing = status === 404 && Object.keys(exchange.parameters).length === 0
    if (exchange.outcome !== 'accepted' && status !== 403 && !isMissing) return
    const isRight = status === 403
    judge(report, exchange, {
      cites: cited(permissions['partner-only']),
      message: isRight ? undefined : message,
      impact: 'high',
    })
  },
}

export const accessRecords: Rule = {
  id: 'access-records',
  says: "Another identity's record gets the same response as an id that no record has.",
  advice: 'Look up records by owner and id in one query, and return 404 if there is none.',
  settles: ['record-owners/'],
  read(exchange, model, report) {
    if (!isCurrent(exchange, model) || (exchange.by?.customer && isForPartners(exchange, model))) return
    for (const record of namedById(exchange, model).filter((it) => owns(exchange.by, it) === false)) {
      const { operation, status, outcome } = exchange
      const cites = cited(model.contract.behaviour.conventions?.owners)
      const message = `${operation?.id} returns ${status} for a ${record.kind.name} of another owner; expected 404.`
      if (outcome === 'accepted')
        report.failed(exchange, cites, message, { about: record.kind.name, impact: 'critical' })
      else if ([403, 409, 410].includes(status))
        report.failed(exchange, cites, message, { about: `${status}` })
      else if (status === 404) report.passed(exchange, cites)
    }
  },
}

export const accessLists: Rule = {
  id: 'access-lists',
  says: 'No response shows a record of another owner.',
  advice: 'Restrict every query to the records of the caller, before any other filter.',
  settles: ['record-owners/'],
  read(exchange, model, report) {
    if (exchange.outcome !== 'accepted' || !exchange.by) return
    for (const shown of exchange.records.filter(({ at }) => at !== '')) {
      const record = model.records.find(shown.kind, shown.id)
      const isOwn = record && owns(exchange.by, record)
      const message = `${exchange.operation?.id} shows a ${shown.kind.name} of another owner.`
      const cites = cited(model.contract.behaviour.conventions?.owners)
      if (isOwn === undefined) continue
      judge(report, exchange, {
        cites,
        message: isOwn ? undefined : message,
        about: shown.kind.name,
        impact: 'critical',
      })
    }
  },
}

/** What is wrong with the credentials of a request; undefined if they are right, or if that cannot be known. */
function wrongCredentials({ operation, request, token }: Exchange, model: Model): string | undefined {
  const { authorization } = request.headers
  if (!model.isComplete || model.tokens.forgotten > 0 || !operation) return undefined
  if (request.hidesCredentials) return undefined
  if (authorization === undefined) return 'no credentials'
  if (operation.scheme === 'bearer') return token ? undefined : 'unknown credentials'
  // The name of a scheme is case-insensitive (RFC 9110, section 11.1).
  const sent = authorization.replace(/^basic +/i, 'Basic ')
  return model.credentials.length > 0 && !model.credentials.includes(sent) ? 'unknown credentials' : undefined
}

function requiredBy(scheme: 'basic' | 'bearer', { contract }: Model) {
  return scheme === 'basic' ? { fact: 'sign-in-basic' } : cited(contract.behaviour.conventions?.authorization)
}

/** Whether nothing else explains a refusal: the request is valid, and names no record and no one-time value. */
function isRefusedForThem(exchange: Exchange): boolean {
  const isPlain = Object.keys(exchange.parameters).length === 0 && exchange.operation?.effect !== 'once'
  return isPlain && [400, 403, 404].includes(exchange.status) && isValid(exchange)
}

/** Whether a token is one that the service must accept. */
function isCurrent({ token, sentAt }: Exchange, model: Model): boolean {
  return token?.kind === 'access' && model.timeAt(sentAt) < token.until
}

/** Whether an operation refuses the tokens of customers. */
export function isForPartners({ operation }: Exchange, { contract }: Model): boolean {
  const { responses = [] } = contract.behaviour.refusals?.wrong_token_kind ?? {}
  return responses.some(({ operations }) => operations.includes(operation?.id ?? ''))
}

/** The records that a request names by their ids, in its path or in the body of an impersonation. */
function namedById(exchange: Exchange, { records, kinds }: Model): KnownRecord[] {
  const named = records
    .named(exchange)
    .filter(({ kind }) => actionOf(kind, exchange.operation?.id) !== undefined)
  const ids = exchange.operation?.id === 'impersonate' ? ['user', 'customer'] : []
  const inBody = ids.flatMap((name) => {
    const kind = kinds.find((it) => it.name === name)
    return (kind && records.find(kind, stringAt(exchange.sent, `/${name}_id`) ?? '')) ?? []
  })
  return [...named, ...inBody]
}
