import { isTokenKindAllowed, mayHaveEndedByAge, mayHaveExpired } from '../causes/permissions.ts'
import { behaviour } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { findOnlyItem, valueAt } from '../contract/json.ts'
import type { Exchange, Token } from '../model/exchange.ts'
import { ISSUING_OPERATIONS, readTimeIfUnix, schemeOf, TOKEN_MARGIN_MS } from '../model/tokens.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { expectCode } from './refusal-code.ts'
import type { DeclaredSource, EndContext, Rule } from './rule.ts'
import { cite, quote } from './rule.ts'

const { conventions, lifetimes } = behaviour

export const accessTokens: Rule = {
  id: 'access-tokens',
  says: 'Only an access token in its scheme, and within its lifetime, is accepted.',
  advice:
    'Look the token up with its kind and its expiration, and read it from the declared scheme only.',
  settles: ['auth-scheme/', 'concurrent-tokens/', 'refresh-token/', 'token-expiration-unit/'],
  needs: ['requestHeaders', 'times'],
  judges: 'refusals',
  /**
   * Judges the token of one request: a wrong token, such as an expired one, must be refused, and a valid one
   * must not be refused because of its age. Does nothing if the outcome is not known, as after a 5xx.
   */
  read(exchange, model, report) {
    const { token, operation, outcome } = exchange
    if (!operation || outcome === 'unknown') return
    if (outcome === 'accepted') reportTimeAsLifetime(operation, exchange, report)

    // Undefined if no earlier response has shown the sent token at the declared place.
    if (!token) {
      reportOtherPlace(exchange, model, report)
      return
    }

    // This only notes what an open question asks for, and judges nothing.
    noteLifetimeUnit(token, exchange, { model, report })

    const fault = findTokenFault(token, exchange, model)
    if (fault) {
      const isExplained = fault === EXPIRED && mayHaveShorterUnit(model)
      if (outcome === 'accepted' || !isExplained) expectTokenRefused(fault, exchange, report)
      return
    }

    if (outcome === 'accepted') {
      expectDeclaredScheme(exchange, report)
      // By the contract, a token still works after its identity has got a newer one.
      const isOlderToken = !model.tokens.isLatest(token)
      if (isOlderToken) report.passed(exchange, cite(conventions.concurrentTokens))
      return
    }

    reportEarlyEnd(token, exchange, { model, report })
  },
}

/**
 * Reports a response that issues a token and shows its expiration as a time since 1970, such as
 * `1767225600`, in place of the seconds that it works, such as `3600`.
 */
function reportTimeAsLifetime({ id }: Operation, exchange: Exchange, report: Report): void {
  if (!ISSUING_OPERATIONS.has(id) || !hasCertainTime(exchange)) return

  const { expires } = lifetimes['access-token']
  const expiration = valueAt(exchange.responseBody, expires.field)
  if (typeof expiration !== 'number') return

  // A number that is a time of the next year, in milliseconds since 1970; undefined if it is none.
  const end = readTimeIfUnix(expiration, exchange.trace.time)
  if (end === undefined) return

  const message = `${id} shows expiration as ${expiration}, which is the time ${new Date(end).toISOString()}; expected a number of ${expires.unit}.`
  report.failed(exchange, cite(lifetimes['access-token']), message, { about: 'time' })
}

/**
 * Reports an accepted token that a sign-in showed, but not at the declared place: of `{ access_token, token }`, the
 * service takes the value of `token`. Does nothing if no response showed the token.
 */
function reportOtherPlace(exchange: Exchange, model: Model, report: Report): void {
  const { operation, outcome, request } = exchange
  const { authorization } = request.headers
  if (operation?.scheme !== 'bearer' || outcome !== 'accepted') return
  if (authorization === undefined) return

  // A response that the checker has forgotten may have shown the token at its declared place.
  const hasForgottenTokens = model.tokens.forgotten > 0
  if (hasForgottenTokens) return

  // The declared place, such as `/access_token`. Undefined if the accepted token stands there, or was never shown.
  const place = model.tokens.findOtherPlace(authorization)
  if (place === undefined) return

  const message = `${operation.id} accepted a token that its response shows elsewhere; expected the one at ${place}.`
  report.failed(exchange, cite(lifetimes['access-token']), message, {
    about: 'place',
    isOfAll: true,
  })
}

/**
 * Expects that an accepted token was sent as `Bearer …`. A service may take its tokens in a scheme of its own,
 * such as `Token …`: the checker then sends them in that, and reports it here.
 */
function expectDeclaredScheme(exchange: Exchange, report: Report): void {
  const { operation, request } = exchange
  // What was sent, such as `Token …`, and the same token as the contract writes it: `Bearer …`.
  const sent = request.headers.authorization
  const inDeclaredScheme = exchange.authorization
  report.expect(
    sent === inDeclaredScheme,
    {
      evidence: exchange,
      cites: cite(conventions.tokenScheme),
      about: 'own scheme',
      isOfAll: true,
    },
    () =>
      `${operation?.id} takes its token ${describeScheme(schemeOf(sent))}; expected it with Bearer.`,
  )
}

function describeScheme(scheme: string): string {
  return scheme === '' ? 'alone' : `in the scheme ${quote(scheme)}`
}

/** The units that the number of a lifetime may have, in seconds. */
const SECONDS_BY_UNIT: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3_600,
}

/**
 * Notes, when a token is refused, in which unit the service writes its expiration: a token with `60` that
 * worked for an hour had minutes. If none or several units fit, it notes how long the token worked, such as
 * `3590 to 3610 seconds, for 3600`.
 */
function noteLifetimeUnit(token: Token, exchange: Exchange, { model, report }: EndContext): void {
  const { expiration } = token
  if (exchange.status !== 401 || expiration === undefined) return
  // A newer token may have ended this one.
  if (!model.tokens.isLatest(token)) return

  const lifetime = measureLifetime(token, exchange, model)
  if (!lifetime) return

  const { question } = lifetimes['access-token']
  const at = 'behaviour#/lifetimes/access-token/expires/unit'
  const onlyUnit = findOnlyItem(listPossibleUnits(expiration, lifetime))
  // The unit settles the question. Otherwise, people can only see how long the token worked.
  if (onlyUnit !== undefined) {
    report.saw({ question, at, of: 'value', seen: onlyUnit })
    return
  }

  const shortest = Math.round(lifetime.shortest)
  const longest = Math.round(lifetime.longest)
  const seen = `${shortest} to ${longest} seconds, for ${expiration}`
  report.saw({ question, at, of: 'lifetime', seen })
}

/** The bounds, in seconds, of how long a token worked. */
interface Lifetime {
  readonly shortest: number
  readonly longest: number
}

/**
 * Measures how long a token worked until its refusal. One that was accepted after 3595 seconds and refused after
 * 3605 worked for 3590 to 3610, since clocks may differ by 5. Undefined if it was never accepted, or if only
 * the clock of a recorder says when it was refused.
 */
function measureLifetime(token: Token, refusal: Exchange, model: Model): Lifetime | undefined {
  if (!hasCertainTime(refusal)) return undefined

  const lastAcceptedAt = model.tokens.findLastAcceptance(token)
  if (lastAcceptedAt === undefined) return undefined

  const refusedAt = model.timeAt(refusal.completeAt)
  return {
    shortest: (lastAcceptedAt - token.issuedAt - TOKEN_MARGIN_MS) / 1000,
    longest: (refusedAt - token.requestedAt + TOKEN_MARGIN_MS) / 1000,
  }
}

/**
 * Lists the units in which an expiration agrees with how long its token worked: `['minutes']` for 60 and
 * 3590 to 3610 seconds.
 */
function listPossibleUnits(expiration: number, { shortest, longest }: Lifetime): string[] {
  const units: string[] = []
  for (const [unit, seconds] of Object.entries(SECONDS_BY_UNIT)) {
    const declared = expiration * seconds
    if (declared >= shortest && declared <= longest) units.push(unit)
  }
  return units
}

/** Expects that a token that is not valid is refused, and that a 401 has the declared code. */
function expectTokenRefused(fault: TokenFault, exchange: Exchange, report: Report): void {
  const cites = cite(fault.source)
  report.expect(
    exchange.outcome !== 'accepted',
    {
      evidence: exchange,
      cites,
      about: fault.about,
      impact: 'high',
    },
    () => `${exchange.operation?.id} accepted ${fault.words}; expected 401.`,
  )
  if (exchange.status === 401) expectCode(fault.refusal, fault.words, { cites, exchange, report })
}

/** How a refusal contradicts the lifetime of its token. */
const EARLY_END = {
  about: 'early',
  when: 'before',
  source: lifetimes['access-token'],
}
const END_BY_NEWER_TOKEN = {
  about: 'ended',
  when: 'after a newer one was issued, before',
  source: conventions.concurrentTokens,
}

/**
 * Reports a token that was refused within its lifetime, although it had worked before: `getUser refused a token before
 * its expiration of 3600 seconds.` If its identity has a newer token, the finding says that too.
 */
function reportEarlyEnd(token: Token, exchange: Exchange, { model, report }: EndContext): void {
  if (!hasCertainlyEnded(token, exchange, model)) return

  const end = model.tokens.isLatest(token) ? EARLY_END : END_BY_NEWER_TOKEN
  const message = `${exchange.operation?.id} refused a token ${end.when} its expiration of ${describeLifetime(token)}.`
  report.failed(exchange, cite(end.source), message, {
    about: end.about,
    operation: token.issuedBy,
  })
}

/** Writes how long a token works by its expiration: `3600 seconds`, or the time of its end. */
function describeLifetime({ expiration, issuedAt }: Token): string {
  const end = expiration === undefined ? undefined : readTimeIfUnix(expiration, issuedAt)
  if (end !== undefined) return new Date(end).toISOString()
  return `${expiration} ${lifetimes['access-token'].expires.unit}`
}

/** Why a token must be refused. */
interface TokenFault {
  /** Names it in the id of the finding. */
  readonly about: string
  /** Such as `an expired token`, for a message. */
  readonly words: string
  readonly source: DeclaredSource
  /** The code of the refusal, where it is declared. */
  readonly refusal?: string
}

const EXPIRED: TokenFault = {
  about: 'expired',
  words: 'an expired token',
  source: lifetimes['access-token'],
  refusal: lifetimes['access-token'].refusal,
}

/**
 * Whether expirations may be in milliseconds, where the contract has a longer unit. Then the refusal of an expired token
 * says nothing of the unit.
 */
function mayHaveShorterUnit({ tokens }: Model): boolean {
  const { expires } = lifetimes['access-token']
  return expires.unit !== 'milliseconds' && !tokens.hasOutlivedMilliseconds
}

/**
 * Finds why a token must be refused: it is a refresh token, is in another scheme than Bearer, or has
 * expired. Undefined if nothing speaks against it.
 */
function findTokenFault(token: Token, exchange: Exchange, model: Model): TokenFault | undefined {
  if (token.kind === 'refresh')
    return {
      about: 'refresh',
      words: 'a refresh token',
      source: conventions.refreshToken,
    }

  if (schemeOf(exchange.authorization) !== 'bearer')
    return {
      about: 'scheme',
      words: 'the token in another scheme',
      source: conventions.tokenScheme,
    }

  const isLate = model.timeAt(exchange.sentAt) > token.until + TOKEN_MARGIN_MS
  // The clock of a recorder proves nothing.
  const hasExpired = isLate && hasCertainTime(exchange)
  if (!hasExpired) return undefined

  return EXPIRED
}

/** Milliseconds in which a refusal may still concern how the token was issued. */
const YOUNG_MS = 60_000

/**
 * Whether a refusal certainly says that the service has ended a token early: a 401 to a token that worked before, may
 * call the operation and has not expired. False if anything else may explain the refusal.
 */
function hasCertainlyEnded(token: Token, exchange: Exchange, model: Model): boolean {
  const { tokens } = model
  // Another status is no verdict on the token, and a token that never worked may be wrong.
  if (exchange.status !== 401 || !tokens.wasAccepted(token)) return false

  // The operation may refuse the tokens of partners, or those of customers.
  if (!isTokenKindAllowed(exchange)) return false

  // The clock of a recorder may have been set back, and the token may have expired.
  const isLifetimeKnown = token.until !== Number.POSITIVE_INFINITY
  if (!isLifetimeKnown || !hasCertainTime(exchange)) return false
  if (mayHaveExpired(token, exchange, model)) return false

  // The service may refuse how the scheme is written, such as in small letters.
  if (!exchange.authorization?.startsWith('Bearer ')) return false

  // The service has issued a newer token to the identity, which explains the end of this one unless its age does.
  if (!tokens.isLatest(token)) return !mayHaveEndedByAge(token, exchange, model)

  // Of a young token, rights explain a refusal too, unless the same operation accepted it before.
  const isYoung = model.timeAt(exchange.sentAt) - token.issuedAt < YOUNG_MS
  return !isYoung || tokens.wasAcceptedBy(token, exchange)
}
