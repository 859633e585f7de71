import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { actionOf } from '../contract/kinds.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { type KnownRecord, owns } from '../model/records.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { an, cited, judge, type Rule } from './rule.ts'

const { conventions, lifetimes, permissions, refusals } = behaviour

const accessCredentials: Rule = {
  id: 'access-credentials',
  says: 'A request without credentials, or with unknown ones, is refused with 401.',
  advice:
    'Check the header authorization before anything else, and compare all of the credentials.',
  read(exchange, model, report) {
    const { operation, status, outcome } = exchange
    const words = wrongCredentials(exchange, model)
    if (!operation || words === undefined || outcome === 'unknown' || status === 405) return
    const cites = credentialCites(exchange)
    const accepted = `${operation.id} with ${words} was accepted (${status}); expected 401.`
    if (outcome === 'accepted')
      report.failed(exchange, cites, accepted, { about: words, impact: 'critical' })
    else if (status === 401) report.passed(exchange, cites)
    else if (isRefusedForThem(exchange)) {
      const other = `${operation.id} with ${words} was refused with ${status}; expected 401.`
      report.failed(exchange, cited(conventions.refusals), other, { about: `${words} ${status}` })
    }
  },
}

/**
 * What is wrong with the credentials of a request; undefined if they are right, or if that cannot
 * be known.
 */
function wrongCredentials(
  { operation, request, token }: Exchange,
  model: Model,
): string | undefined {
  const { authorization } = request.headers
  if (!model.isComplete || model.tokens.forgotten > 0 || !operation || request.hidesCredentials)
    return undefined
  if (authorization === undefined) return 'no credentials'
  if (operation.scheme === 'bearer') return token ? undefined : 'unknown credentials'
  // The name of a scheme is case-insensitive (RFC 9110, section 11.1).
  const sent = authorization.replace(/^basic +/i, 'Basic ')
  return model.credentials.length > 0 && !model.credentials.includes(sent)
    ? 'unknown credentials'
    : undefined
}

function credentialCites({ operation, query, request }: Exchange): Cites {
  if (query.has('access_token') && request.headers.authorization === undefined)
    return cited(conventions.tokenScheme)
  return operation?.scheme === 'basic'
    ? { fact: 'sign-in-basic' }
    : cited(conventions.authorization)
}

/**
 * Whether nothing else explains a refusal: the request is valid, and names no record and no
 * one-time value.
 */
function isRefusedForThem(exchange: Exchange): boolean {
  const isPlain =
    Object.keys(exchange.parameters).length === 0 && exchange.operation?.effect !== 'once'
  return isPlain && [400, 403, 404].includes(exchange.status) && isValid(exchange)
}

const accessTokens: Rule = {
  id: 'access-tokens',
  says: 'Only an access token in its scheme, and within its lifetime, is accepted.',
  advice:
    'Look the token up with its kind and its expiration, and read it from the declared scheme only.',
  settles: ['auth-scheme/', 'concurrent-tokens/', 'refresh-token/', 'token-expiration-unit/'],
  read(exchange, model, report) {
    const { token, operation, outcome } = exchange
    if (!token || !operation || outcome === 'unknown') return
    const fault = tokenFault(exchange, model)
    const isAccepted = outcome === 'accepted'
    if (fault) {
      const { about, words, source } = fault
      const message = isAccepted && `${operation.id} accepted ${words}; expected 401.`
      judge(report, exchange, { cites: cited(source), message, about, impact: 'high' })
    } else if (isAccepted) {
      report.passed(exchange, cited(conventions.tokenScheme))
      if (!model.tokens.isLatest(token))
        report.passed(exchange, cited(conventions.concurrentTokens))
    } else {
      const end = earlyEnd(exchange, model)
      if (!end) return
      const message = `${operation.id} refused a token ${end.words} its expiration.`
      report.failed(exchange, cited(end.source), message, {
        about: end.about,
        operation: token.issuedBy,
      })
    }
  },
}

/** Milliseconds by which clocks may differ. */
const MARGIN = 5_000

/** Why a token must be refused. */
function tokenFault({ token, request, sentAt }: Exchange, model: Model) {
  if (token?.kind === 'refresh')
    return { about: 'refresh', words: 'a refresh token', source: conventions.refreshToken }
  if (schemeOf(request.headers.authorization) !== 'bearer')
    return {
      about: 'scheme',
      words: 'the token in another scheme',
      source: conventions.tokenScheme,
    }
  const isLate = token && model.timeAt(sentAt) > token.until + MARGIN
  const source = lifetimes['access-token']
  return isLate ? { about: 'expired', words: 'an expired token', source } : undefined
}

/**
 * How a token that worked has ended within its lifetime: after its identity got a newer one, or
 * some time after it was issued.
 */
function earlyEnd(exchange: Exchange, model: Model) {
  const { token, status, sentAt } = exchange
  if (!token || status !== 401 || !model.tokens.wasAccepted(token)) return undefined
  const now = model.timeAt(sentAt)
  const isOfAnotherKind = token.identity.customer !== undefined && isForPartners(exchange)
  // Of a token whose lifetime is not known, every time may be the end.
  const isUnknown = token.until === Number.POSITIVE_INFINITY
  if (isOfAnotherKind || isUnknown || now > token.until - MARGIN) return undefined
  if (!model.tokens.isLatest(token)) {
    const words = 'after a newer one was issued, before'
    return { about: 'ended', words, source: conventions.concurrentTokens }
  }
  const isYoung = now - token.issuedAt < 60_000
  return isYoung
    ? undefined
    : { about: 'early', words: 'before', source: lifetimes['access-token'] }
}

const accessKinds: Rule = {
  id: 'access-kinds',
  says: 'Operations for partners refuse the token of a customer with 403.',
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  settles: ['token-permissions/'],
  read(exchange, model, report) {
    const { operation, by, status, outcome, parameters } = exchange
    if (!isCurrent(exchange, model) || !by?.customer || !isForPartners(exchange)) return
    const isMissing = status === 404 && Object.keys(parameters).length === 0
    if (outcome !== 'accepted' && status !== 403 && !isMissing) return
    const cites = cited(permissions['partner-only'])
    const message = `${operation?.id} returns ${status} for the token of a customer; expected 403.`
    judge(report, exchange, { cites, message: status !== 403 && message, impact: 'high' })
  },
}

/** Whether a token is one that the service must accept. */
export function isCurrent({ token, sentAt }: Exchange, model: Model): boolean {
  return token?.kind === 'access' && model.timeAt(sentAt) < token.until
}

/** Whether an operation refuses the tokens of customers. */
export function isForPartners({ operation }: Exchange): boolean {
  return refusals.wrong_token_kind.responses.some((it) =>
    it.operations.includes(operation?.id ?? ''),
  )
}

const accessRecords: Rule = {
  id: 'access-records',
  says: "Another identity's record gets the same response as an id that no record has.",
  advice: 'Look up records by owner and id in one query, and return 404 if there is none.',
  settles: ['record-owners/'],
  read(exchange, model, report) {
    if (!isCurrent(exchange, model) || (exchange.by?.customer && isForPartners(exchange))) return
    for (const record of namedById(exchange, model).filter(
      (it) => owns(exchange.by, it) === false,
    )) {
      const { operation, status, outcome } = exchange
      const { kind } = record
      const cites = cited(conventions.owners)
      const message = `${operation?.id} returns ${status} for ${an(kind.name)} of another owner; expected 404.`
      if (outcome === 'accepted')
        report.failed(exchange, cites, message, {
          about: kind.name,
          impact: impactOf(exchange, record),
        })
      else if ([403, 409, 410].includes(status))
        report.failed(exchange, cites, message, { about: `${status}` })
      else if (status === 404) report.passed(exchange, cites)
    }
  },
}

/** Only another partner's record is critical: a partner may share records with its customers. */
function impactOf({ by }: Exchange, { owner }: KnownRecord): 'critical' | 'high' {
  return by?.partner === owner?.partner ? 'high' : 'critical'
}

/**
 * The records that a request names by their ids, in its path or in the body of an impersonation.
 */
function namedById(exchange: Exchange, { records }: Model): KnownRecord[] {
  const { operation, sent } = exchange
  const named = records
    .named(exchange)
    .filter(({ kind }) => actionOf(kind, operation?.id) !== undefined)
  const names = operation?.id === 'impersonate' ? ['user', 'customer'] : []
  const inBody = names.flatMap(
    (name) => records.find({ name }, stringAt(sent, `/${name}_id`) ?? '') ?? [],
  )
  return [...named, ...inBody]
}

const accessLists: Rule = {
  id: 'access-lists',
  says: 'No response shows a record of another owner.',
  advice: 'Restrict every query to the records of the caller, before any other filter.',
  settles: ['record-owners/'],
  read(exchange, model, report) {
    for (const { kind, id } of exchange.records.filter(({ at }) => at !== '')) {
      const record = model.records.find(kind, id)
      const isOwn = record && owns(exchange.by, record)
      if (!record || isOwn === undefined) continue
      const cites = cited(conventions.owners)
      const message = `${exchange.operation?.id} shows ${an(kind.name)} of another owner.`
      const impact = impactOf(exchange, record)
      judge(report, exchange, { cites, message: !isOwn && message, about: kind.name, impact })
    }
  },
}

export const accessRules = [
  accessCredentials,
  accessTokens,
  accessKinds,
  accessRecords,
  accessLists,
]
