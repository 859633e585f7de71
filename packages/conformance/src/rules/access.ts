import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { findAction } from '../contract/kinds.ts'
import { type Exchange, isValid, type Token } from '../model/exchange.ts'
import { type KnownRecord, owns } from '../model/records.ts'
import { schemeOf, tokenKindOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { expectCode } from './refusal-code.ts'
import { cite, type DeclaredSource, type Rule, type RuleContext, withArticle } from './rule.ts'

const { conventions, lifetimes, permissions } = behaviour

const accessCredentials: Rule = {
  id: 'access-credentials',
  says: 'A request without credentials, or with unknown ones, is refused with 401.',
  advice:
    'Check the header authorization before anything else, and compare all of the credentials.',
  needs: ['requestHeaders'],
  judges: 'refusals',
  read(exchange, model, report) {
    const { operation, status, outcome } = exchange
    const words = describeWrongCredentials(exchange, model)
    if (!operation || words === undefined || outcome === 'unknown' || status === 405) return

    const cites = citeCredentials(exchange)
    if (outcome === 'accepted') {
      const message = `${operation.id} with ${words} was accepted (${status}); expected 401.`
      report.failed(exchange, cites, message, { about: words, impact: 'critical' })
      return
    }

    if (status === 401) {
      report.passed(exchange, cites)
      return
    }

    if (isRefusedForCredentials(exchange)) {
      const message = `${operation.id} with ${words} was refused with ${status}; expected 401.`
      report.failed(exchange, cite(conventions.refusals), message, {
        about: `${words} ${status}`,
      })
    }
  },
}

/**
 * What is wrong with the credentials of a request; undefined if they are right, or if that cannot
 * be known.
 */
function describeWrongCredentials(
  { operation, request, token }: Exchange,
  model: Model,
): string | undefined {
  if (!operation || request.hidesCredentials) return undefined
  if (!model.isComplete || model.tokens.forgotten > 0) return undefined

  const { authorization } = request.headers
  if (authorization === undefined) return 'no credentials'

  if (operation.scheme === 'bearer') {
    const isKnown = token !== undefined || model.tokens.wasShown(authorization)
    return isKnown ? undefined : 'unknown credentials'
  }

  // The name of a scheme is case-insensitive (RFC 9110, section 11.1).
  const sent = authorization.replace(/^basic +/i, 'Basic ')
  const isUnknown = model.credentials.length > 0 && !model.credentials.includes(sent)
  return isUnknown ? 'unknown credentials' : undefined
}

function citeCredentials({ operation, query, request }: Exchange): Cites {
  const isTokenInQuery = query.has('access_token') && request.headers.authorization === undefined
  if (isTokenInQuery) return cite(conventions.tokenScheme)

  if (operation?.scheme === 'basic') return { fact: 'sign-in-basic' }
  return cite(conventions.authorization)
}

/**
 * Whether nothing else explains a refusal: the request is valid, and names no record and no
 * one-time value.
 */
function isRefusedForCredentials(exchange: Exchange): boolean {
  if (namesRecord(exchange) || exchange.operation?.effect === 'once') return false
  return [400, 403, 404].includes(exchange.status) && isValid(exchange)
}

const accessTokens: Rule = {
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

const accessKinds: Rule = {
  id: 'access-kinds',
  says: 'Operations for partners refuse the token of a customer with 403.',
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  settles: ['token-permissions/'],
  judges: 'refusals',
  read(exchange, model, report) {
    if (!hasCurrentToken(exchange, model) || !exchange.by) return
    if (isForCustomersOnly(exchange, model)) reportCustomersOnly(exchange, report)

    const permission = findPermission(exchange.operation)
    if (!permission) return

    if (canCall(exchange)) expectNotRefused(permission, { exchange, report })
    else expectRefused(permission, { exchange, report })
  },
}

/** Whether the service refuses every token of a partner for an operation, whatever record it names. */
function isPartnerRefused({ operation, by }: Exchange, { form }: Model): boolean {
  return (
    operation !== undefined && tokenKindOf(by) === 'partner' && form.takesCustomersOnly(operation)
  )
}

/** Whether a service takes only tokens of customers where the contract takes those of the partner. */
function isForCustomersOnly({ operation, by, outcome }: Exchange, { form }: Model): boolean {
  const isOfCustomer = tokenKindOf(by) === 'customer' && outcome === 'accepted'
  if (!operation || !isOfCustomer) return false
  return operation.tokens.includes('partner') && form.takesCustomersOnly(operation)
}

/** One choice of the service, whichever operations it concerns. */
function reportCustomersOnly(exchange: Exchange, report: Report): void {
  const { question } = permissions['partner-only']
  const message = `${exchange.operation?.id} refuses the token of the partner, and takes that of a customer; expected both.`
  report.failed(exchange, { question }, message, { about: 'partner', isOfAll: true })
}

type Permission = NonNullable<ReturnType<typeof findPermission>>
type Judged = Pick<RuleContext, 'exchange' | 'report'>

/** That a token is accepted which may call says nothing about the others, so that is no case. */
function expectNotRefused(permission: Permission, { exchange, report }: Judged): void {
  const isOfKind = stringAt(exchange.shown, '/code') === permission.refusal
  if (exchange.outcome === 'accepted' || !isOfKind || namesRecord(exchange)) return

  const message = `${describeCall(exchange)}; expected success.`
  report.failed(exchange, cite(permission), message, { impact: 'high' })
}

function expectRefused(permission: Permission, { exchange, report }: Judged): void {
  const { by, status, outcome } = exchange
  // A path without an id is there, so that 404 can only concern the token.
  const isHidden = status === 404 && !namesRecord(exchange)
  const isRefused = status === 403 || isHidden
  if (outcome !== 'accepted' && !isRefused) return

  const cites = cite(permission)
  report.expect(
    status === 403,
    {
      evidence: exchange,
      cites,
      impact: 'high',
    },
    () => `${describeCall(exchange)}; expected 403.`,
  )
  if (status === 403)
    expectCode(permission.refusal, `the token of a ${tokenKindOf(by)}`, { cites, exchange, report })
}

function describeCall({ operation, status, by }: Exchange): string {
  return `${operation?.id} returns ${status} for the token of a ${tokenKindOf(by)}`
}

function namesRecord({ parameters }: Exchange): boolean {
  return Object.keys(parameters).length > 0
}

/** What says whose token an operation takes; undefined if it takes every kind. */
function findPermission(operation: Exchange['operation']) {
  const id = operation?.id ?? ''
  return Object.values(permissions).find(({ operations }) => operations.some((one) => one === id))
}

/** Whether a token is one that the service must accept. */
export function hasCurrentToken({ token, sentAt }: Exchange, model: Model): boolean {
  return token?.kind === 'access' && model.timeAt(sentAt) < token.until
}

/** Whether an operation takes tokens of the kind that a request has, or that is not known. */
export function canCall({ operation, by }: Exchange): boolean {
  if (!operation || !by) return true
  return operation.tokens.includes(tokenKindOf(by))
}

const accessRecords: Rule = {
  id: 'access-records',
  says: "Another identity's record gets the same response as an id that no record has.",
  advice: 'Look up records by owner and id in one query, and return 404 if there is none.',
  settles: ['record-owners/'],
  needs: ['sent', 'target', 'times'],
  judges: 'refusals',
  read(exchange, model, report) {
    if (!hasCurrentToken(exchange, model)) return
    if (!canCall(exchange) || isPartnerRefused(exchange, model)) return

    for (const record of findRecordsById(exchange, model)) {
      const isOfAnotherOwner = owns(exchange.by, record) === false
      if (isOfAnotherOwner) expectHidden(record, { exchange, model, report })
    }
  },
}

/** Statuses that reveal that a record is there. */
const REVEALING_STATUSES = [403, 409, 410]

function expectHidden(record: KnownRecord, { exchange, report }: RuleContext): void {
  const { operation, status, outcome } = exchange
  const { kind } = record
  const cites = cite(conventions.owners)
  const message = `${operation?.id} returns ${status} for ${withArticle(kind.name)} of another owner; expected 404.`

  if (outcome === 'accepted') {
    report.failed(exchange, cites, message, {
      about: kind.name,
      impact: assessImpact(exchange, record),
    })
    return
  }

  if (REVEALING_STATUSES.includes(status)) {
    report.failed(exchange, cites, message, { about: String(status) })
    return
  }

  if (status === 404) report.passed(exchange, cites)
}

/** Only another partner's record is critical: a partner may share records with its customers. */
function assessImpact({ by }: Exchange, { owner }: KnownRecord): 'critical' | 'high' {
  return by?.partner === owner?.partner ? 'high' : 'critical'
}

/**
 * The records that a request names by their ids, in its path or in the body of an impersonation.
 */
function findRecordsById(exchange: Exchange, { records }: Model): KnownRecord[] {
  const { operation, sent } = exchange
  const named: KnownRecord[] = records
    .named(exchange)
    .filter(({ kind }) => findAction(kind, operation?.id) !== undefined)
  if (operation?.id !== 'impersonate') return named

  for (const name of ['user', 'customer']) {
    const record = records.find({ name }, stringAt(sent, `/${name}_id`) ?? '')
    if (record) named.push(record)
  }
  return named
}

const accessLists: Rule = {
  id: 'access-lists',
  says: 'No response shows a record of another owner.',
  advice: 'Restrict every query to the records of the caller, before any other filter.',
  settles: ['record-owners/'],
  needs: [],
  read(exchange, model, report) {
    for (const { kind, id, at } of exchange.records) {
      const isWholeBody = at === ''
      const record = model.records.find(kind, id)
      if (isWholeBody || !record) continue

      const isOwn = owns(exchange.by, record)
      if (isOwn === undefined) continue

      report.expect(
        isOwn,
        {
          evidence: exchange,
          cites: cite(conventions.owners),
          about: kind.name,
          impact: assessImpact(exchange, record),
        },
        () => `${exchange.operation?.id} shows ${withArticle(kind.name)} of another owner.`,
      )
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
