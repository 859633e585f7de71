import { canCall } from '../causes/permissions.ts'
import { behaviour } from '../contract/behaviour.ts'
import type { Exchange, Token } from '../model/exchange.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { expectCode } from './refusal-code.ts'
import type { DeclaredSource, Rule } from './rule.ts'
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
  read(exchange, model, report) {
    const { token, operation, outcome } = exchange
    if (!operation || outcome === 'unknown') return
    if (!token) {
      reportOtherPlace(exchange, model, report)
      return
    }
    noteUnit(exchange, model, report)

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

    const end = findEarlyEnd(exchange, model)
    if (end) {
      const lifetime = `${token.expiration} ${lifetimes['access-token'].expires.unit}`
      const message = `${operation.id} refused a token ${end.words} its expiration of ${lifetime}.`
      report.failed(exchange, cite(end.source), message, {
        about: end.about,
        operation: token.issuedBy,
      })
    }
  },
}

/** A token that works is the one that its response shows at the declared place. */
function reportOtherPlace(exchange: Exchange, model: Model, report: Report): void {
  const { operation, outcome, request } = exchange
  const { authorization } = request.headers
  const takesToken = operation?.scheme === 'bearer' && outcome === 'accepted'
  if (!takesToken || authorization === undefined || model.tokens.forgotten > 0) return

  const place = model.tokens.otherPlaceOf(authorization)
  if (place === undefined) return
  const message = `${operation.id} accepted a token that its response shows elsewhere; expected the one at ${place}.`
  report.failed(exchange, cite(lifetimes['access-token']), message, {
    about: 'place',
    isOfAll: true,
  })
}

/** Seconds of the units that a number of a lifetime may have. */
const SECONDS_BY_UNIT: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3_600,
}

/**
 * Notes the unit of a lifetime, when a token is first refused: the only one by which the token has
 * ended between its last acceptance and now.
 */
function noteUnit({ token, status, sentAt }: Exchange, model: Model, report: Report): void {
  if (!token || status !== 401 || !model.tokens.isLatest(token)) return
  const lastAccepted = model.tokens.lastAccepted(token)
  const { expiration: number } = token
  if (lastAccepted === undefined || number === undefined) return

  const earliest = (lastAccepted - token.issuedAt - CLOCK_MARGIN_MS) / 1000
  const latest = (model.timeAt(sentAt) - token.issuedAt + CLOCK_MARGIN_MS) / 1000
  const possible = Object.entries(SECONDS_BY_UNIT).filter(([, seconds]) => {
    const lifetime = number * seconds
    return lifetime >= earliest && lifetime <= latest
  })
  const { question } = lifetimes['access-token']
  const at = 'behaviour#/lifetimes/access-token/expires/unit'
  const [unit] = possible.length === 1 ? (possible[0] ?? []) : []
  if (unit !== undefined) report.saw({ question, at, of: 'value', seen: unit })
  else {
    const seen = `${Math.round(earliest)} to ${Math.round(latest)} seconds, for ${number}`
    report.saw({ question, at, of: 'lifetime', seen })
  }
}

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

/** Milliseconds by which clocks may differ. */
const CLOCK_MARGIN_MS = 5_000

/** Why a token must be refused, or why a refusal of it is wrong. */
interface TokenFault {
  readonly about: string
  readonly words: string
  readonly source: DeclaredSource
  /** The code of the refusal, where it is declared. */
  readonly refusal?: string
}

/** Why a token must be refused; undefined if nothing speaks against it. */
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
 * How a token that worked has ended within its lifetime: after its identity got a newer one, or
 * some time after it was issued.
 */
function findEarlyEnd(exchange: Exchange, model: Model): TokenFault | undefined {
  const { token, status, sentAt } = exchange
  if (!token || status !== 401 || !model.tokens.wasAccepted(token)) return undefined

  const now = model.timeAt(sentAt)
  if (!canCall(exchange) || mayHaveExpired(token, now)) return undefined
  // The service may refuse how the scheme is written, such as in small letters.
  if (!exchange.request.headers.authorization?.startsWith('Bearer ')) return undefined

  if (!model.tokens.isLatest(token))
    return {
      about: 'ended',
      words: 'after a newer one was issued, before',
      source: conventions.concurrentTokens,
    }

  // The same operation accepted it before, so that nothing but its end explains a refusal.
  const isYoung = now - token.issuedAt < YOUNG_MS
  if (isYoung && !model.tokens.wasAcceptedBy(token, exchange)) return undefined
  return {
    about: 'early',
    words: 'before',
    source: lifetimes['access-token'],
  }
}

/** Of a token whose lifetime is not known, every time may be the end. */
function mayHaveExpired({ until }: Token, now: number): boolean {
  const isUnknown = until === Number.POSITIVE_INFINITY
  return isUnknown || now > until - CLOCK_MARGIN_MS
}
