import { isTokenKindAllowed } from '../causes/permissions.ts'
import { behaviour } from '../contract/behaviour.ts'
import type { Exchange, Token } from '../model/exchange.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { expectCode } from './refusal-code.ts'
import type { DeclaredSource, EndContext, Rule } from './rule.ts'
import { cite } from './rule.ts'

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
   * Judges the token of one request: an invalid token must be refused, and a valid one may be refused
   * for other reasons, but not for its age.
   */
  read(exchange, model, report) {
    const { token, operation, outcome } = exchange
    if (!operation || outcome === 'unknown') return

    // No earlier response has shown the sent token where the contract declares tokens.
    if (!token) {
      reportOtherPlace(exchange, model, report)
      return
    }

    noteLifetimeUnit(token, exchange, { model, report })

    const fault = findTokenFault(exchange, model)
    if (fault) {
      expectTokenRefused(fault, exchange, report)
      return
    }

    if (outcome === 'accepted') {
      report.passed(exchange, cite(conventions.tokenScheme))
      if (!model.tokens.isLatest(token)) report.passed(exchange, cite(conventions.concurrentTokens))
      return
    }

    reportEarlyEnd(token, exchange, { model, report })
  },
}

/**
 * Reports an accepted token that an earlier response showed, but not in the field where the contract
 * declares tokens. Undeclared places are searched for the text of the token.
 */
function reportOtherPlace(exchange: Exchange, model: Model, report: Report): void {
  const { operation, outcome, request } = exchange
  const { authorization } = request.headers
  const takesToken = operation?.scheme === 'bearer' && outcome === 'accepted'
  if (!takesToken || authorization === undefined || model.tokens.forgotten > 0) return

  const place = model.tokens.findOtherPlace(authorization)
  if (place === undefined) return
  const message = `${operation.id} accepted a token that its response shows elsewhere; expected the one at ${place}.`
  report.failed(exchange, cite(lifetimes['access-token']), message, {
    about: 'place',
    isOfAll: true,
  })
}

/** The units that the number of a lifetime may have, in seconds. */
const SECONDS_BY_UNIT: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3_600,
}

/**
 * Notes the unit in which a service writes how long a token works, when the token is first refused. It
 * is the only unit by which the token has ended between its last acceptance and now. If none or several
 * units fit, it notes the possible seconds instead, such as `3590 to 3610 seconds, for 3600`.
 */
function noteLifetimeUnit(token: Token, exchange: Exchange, { model, report }: EndContext): void {
  if (exchange.status !== 401 || !model.tokens.isLatest(token)) return

  const lastAcceptedAt = model.tokens.findLastAcceptance(token)
  const { expiration } = token
  if (lastAcceptedAt === undefined || expiration === undefined) return

  const now = model.timeAt(exchange.sentAt)
  const shortest = (lastAcceptedAt - token.issuedAt - CLOCK_MARGIN_MS) / 1000
  const longest = (now - token.issuedAt + CLOCK_MARGIN_MS) / 1000
  const possible = Object.entries(SECONDS_BY_UNIT).filter(([, seconds]) => {
    const lifetime = expiration * seconds
    return lifetime >= shortest && lifetime <= longest
  })

  const { question } = lifetimes['access-token']
  const at = 'behaviour#/lifetimes/access-token/expires/unit'
  const [first, ...others] = possible
  if (first && others.length === 0) {
    const [unit] = first
    report.saw({ question, at, of: 'value', seen: unit })
    return
  }

  const seen = `${Math.round(shortest)} to ${Math.round(longest)} seconds, for ${expiration}`
  report.saw({ question, at, of: 'lifetime', seen })
}

/** Expects that a token that is not valid is refused, and that a 401 has the declared code. */
function expectTokenRefused(fault: TokenFault, exchange: Exchange, report: Report): void {
  const isAccepted = exchange.outcome === 'accepted'
  report.expect(
    !isAccepted,
    {
      evidence: exchange,
      cites: cite(fault.source),
      about: fault.about,
      impact: 'high',
    },
    () => `${exchange.operation?.id} accepted ${fault.words}; expected 401.`,
  )
  const cites = cite(fault.source)
  if (exchange.status === 401) expectCode(fault.refusal, fault.words, { cites, exchange, report })
}

/** Reports a token that was refused within its lifetime, although it had worked before. */
function reportEarlyEnd(token: Token, exchange: Exchange, { model, report }: EndContext): void {
  const end = findEarlyEnd(token, exchange, model)
  if (!end) return

  const lifetime = `${token.expiration} ${lifetimes['access-token'].expires.unit}`
  const message = `${exchange.operation?.id} refused a token ${end.words} its expiration of ${lifetime}.`
  report.failed(exchange, cite(end.source), message, {
    about: end.about,
    operation: token.issuedBy,
  })
}

/** Milliseconds by which clocks may differ. */
const CLOCK_MARGIN_MS = 5_000

/** Why a token must be refused, or why a refusal of it is wrong. */
interface TokenFault {
  /** Names it in the id of the finding. */
  readonly about: string
  /** Such as `an expired token`, for a message. */
  readonly words: string
  readonly source: DeclaredSource
  /** The code of the refusal, where it is declared. */
  readonly refusal?: string
}

/**
 * Finds why a token must be refused: it is a refresh token, is in another scheme than Bearer, or has
 * expired. Undefined if nothing speaks against it.
 */
function findTokenFault(
  { token, request, sentAt }: Exchange,
  model: Model,
): TokenFault | undefined {
  if (token?.kind === 'refresh')
    return {
      about: 'refresh',
      words: 'a refresh token',
      source: conventions.refreshToken,
    }

  if (schemeOf(request.headers.authorization) !== 'bearer')
    return {
      about: 'scheme',
      words: 'the token in another scheme',
      source: conventions.tokenScheme,
    }

  const isLate = token && model.timeAt(sentAt) > token.until + CLOCK_MARGIN_MS
  if (!isLate) return undefined
  return {
    about: 'expired',
    words: 'an expired token',
    source: lifetimes['access-token'],
    refusal: lifetimes['access-token'].refusal,
  }
}

/** Milliseconds in which a refusal may still concern how the token was issued. */
const YOUNG_MS = 60_000

/**
 * Finds how the service contradicts the lifetime of a token that worked before: it refuses the token
 * since a newer one was issued, or some time after it was issued. Undefined if something else may
 * explain the refusal.
 */
function findEarlyEnd(token: Token, exchange: Exchange, model: Model): TokenFault | undefined {
  const { tokens } = model
  if (exchange.status !== 401 || !tokens.wasAccepted(token)) return undefined

  const now = model.timeAt(exchange.sentAt)
  if (!isTokenKindAllowed(exchange) || mayHaveExpired(token, now)) return undefined
  // The service may refuse how the scheme is written, such as in small letters.
  if (!exchange.request.headers.authorization?.startsWith('Bearer ')) return undefined

  if (!tokens.isLatest(token))
    return {
      about: 'ended',
      words: 'after a newer one was issued, before',
      source: conventions.concurrentTokens,
    }

  // Of a young token, rights explain a refusal too, unless the same operation accepted it before.
  const isYoung = now - token.issuedAt < YOUNG_MS
  if (isYoung && !tokens.wasAcceptedBy(token, exchange)) return undefined
  return {
    about: 'early',
    words: 'before',
    source: lifetimes['access-token'],
  }
}

/** Whether a token may have expired. If its lifetime is not known, every time may be the end. */
function mayHaveExpired({ until }: Token, now: number): boolean {
  const isUnknown = until === Number.POSITIVE_INFINITY
  return isUnknown || now > until - CLOCK_MARGIN_MS
}
