import { hasCurrentToken, isTokenKindAllowed } from '../causes/permissions.ts'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { compareOwner, type KnownRecord } from '../model/records.ts'
import { tokenKindOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { At, Cites, Report } from '../report/report.ts'
import { accessTokens } from './access-tokens.ts'
import { expectCode } from './refusal-code.ts'
import { cite, citeStatement, type Rule, type RuleContext, withArticle } from './rule.ts'

const { conventions, permissions } = behaviour

const accessCredentials: Rule = {
  id: 'access-credentials',
  says: 'A request without credentials, or with unknown ones, is refused with 401.',
  advice:
    'Check the header authorization before anything else, and compare all of the credentials.',
  needs: ['requestHeaders'],
  judges: 'refusals',
  /**
   * Expects 401 for a request without credentials, or with credentials that no response has issued. Another status is
   * judged only if nothing but the credentials explains it.
   */
  read(exchange, model, report) {
    const { operation, status, outcome } = exchange
    if (!operation || outcome === 'unknown') return
    // A service may refuse the method before it looks at the credentials.
    if (status === 405) return
    // Credentials that the history does not show may be right.
    if (!canJudgeCredentials(exchange, model)) return

    const wrong = describeWrongCredentials(exchange, model)
    if (wrong === undefined) return

    const cites = citeCredentials(exchange)
    if (outcome === 'accepted') {
      const message = `${operation.id} with ${wrong} was accepted (${status}); expected 401.`
      report.failed(exchange, cites, message, { about: wrong, impact: 'critical' })
      return
    }

    if (status === 401) {
      report.passed(exchange, cites)
      return
    }

    if (isRefusedForCredentials(exchange)) {
      const message = `${operation.id} with ${wrong} was refused with ${status}; expected 401.`
      report.failed(exchange, cite(conventions.refusals), message, {
        about: `${wrong} ${status}`,
      })
    }
  },
}

/** Whether the history shows the credentials of a request, and all that the service has issued. */
function canJudgeCredentials({ request }: Exchange, { isComplete, tokens }: Model): boolean {
  const areAllIssuedKnown = isComplete && tokens.forgotten === 0
  return areAllIssuedKnown && !request.hidesCredentials
}

/** Says what is wrong with the credentials of a request; undefined if they may be right. */
function describeWrongCredentials(
  { operation, request, token }: Exchange,
  model: Model,
): 'no credentials' | 'unknown credentials' | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return 'no credentials'

  if (operation?.scheme === 'bearer') {
    // `token` is one that a sign-in showed at the declared place; `wasShown` finds those at other places too.
    const wasIssued = token !== undefined || model.tokens.wasShown(authorization)
    return wasIssued ? undefined : 'unknown credentials'
  }

  // Only the sign-in has the scheme `basic`, and it takes no token.
  return mayBeBasicCredentials(authorization, model) ? undefined : 'unknown credentials'
}

/**
 * Whether a header may have the right HTTP Basic credentials of a partner: they are among those that the run
 * was given, or it was given none.
 */
function mayBeBasicCredentials(authorization: string, { credentials }: Model): boolean {
  if (credentials.length === 0) return true

  // The name of a scheme is case-insensitive (RFC 9110, section 11.1).
  const sent = authorization.replace(/^basic +/i, 'Basic ')
  return credentials.includes(sent)
}

/**
 * Cites what says that a request with wrong credentials is refused. Of the sign-in, that is a fact. Of a token in
 * the query, it is the assumption about how tokens are sent; otherwise, the one about credentials.
 */
function citeCredentials({ operation, query, request }: Exchange): Cites {
  const isTokenInQuery = query.has('access_token') && request.headers.authorization === undefined
  if (isTokenInQuery) return cite(conventions.tokenScheme)

  if (operation?.scheme === 'basic') return { fact: 'sign-in-basic' }
  return cite(conventions.authorization)
}

/**
 * Whether only the credentials explain a refusal: the request is valid, and names no record and no
 * one-time value.
 */
function isRefusedForCredentials(exchange: Exchange): boolean {
  if (namesRecord(exchange) || exchange.operation?.effect === 'once') return false
  return [400, 403, 404].includes(exchange.status) && isValid(exchange)
}

const accessKinds: Rule = {
  id: 'access-kinds',
  says: 'Operations for partners refuse the token of a customer with 403.',
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  settles: ['token-permissions/'],
  judges: 'refusals',
  /**
   * Compares whose token an operation takes, a partner's or a customer's, with what the contract says: a
   * customer may not call `listUsers`. A token that has expired says nothing of that.
   */
  read(exchange, model, report) {
    if (!hasCurrentToken(exchange, model) || !exchange.identity) return
    // Where the contract takes the tokens of both, the service may take only those of customers.
    if (isForCustomersOnly(exchange, model)) reportCustomersOnly(exchange, report)

    // What the contract says of the tokens for this operation. Undefined of most, which take every kind.
    const permission = findPermission(exchange.operation)
    if (!permission) return

    if (isTokenKindAllowed(exchange)) reportRefusedPermission(permission, { exchange, report })
    else expectRefused(permission, { exchange, report })
  },
}

/**
 * Whether a request has the token of a partner, and the service takes only those of customers for its
 * operation. `form` is what the checker has learned about the service.
 */
function isPartnerRefused({ operation, identity }: Exchange, { form }: Model): boolean {
  return (
    operation !== undefined &&
    tokenKindOf(identity) === 'partner' &&
    form.takesCustomersOnly(operation)
  )
}

/**
 * Whether a service accepts the token of a customer for an operation, and has refused that of the partner,
 * where the contract takes both.
 */
function isForCustomersOnly({ operation, identity, outcome }: Exchange, { form }: Model): boolean {
  const isOfCustomer = tokenKindOf(identity) === 'customer' && outcome === 'accepted'
  if (!operation || !isOfCustomer) return false
  return operation.tokens.includes('partner') && form.hasSeenCustomersOnly(operation)
}

/** Reports, once for all operations, that a service refuses the partner's token and takes the customer's. */
function reportCustomersOnly(exchange: Exchange, report: Report): void {
  const { question } = permissions['partner-only']
  const message = `${exchange.operation?.id} refuses the token of the partner, and takes that of a customer; expected both.`
  report.failed(exchange, { question }, message, { about: 'partner', isOfAll: true })
}

type Permission = NonNullable<ReturnType<typeof findPermission>>
type Judged = Pick<RuleContext, 'exchange' | 'report'>

/** Reports a token that may call the operation and is refused with the code for a wrong kind of token. */
function reportRefusedPermission(permission: Permission, { exchange, report }: Judged): void {
  if (exchange.outcome === 'accepted') return
  // If the request names a record, that record may be the reason.
  if (namesRecord(exchange)) return

  const isForTokenKind = stringAt(exchange.responseBody, '/code') === permission.refusal
  if (!isForTokenKind) return

  const message = `${describeCall(exchange)}; expected success.`
  report.failed(exchange, cite(permission), message, { impact: 'high' })
}

/**
 * Expects 403 with the declared code for a token whose kind may not call the operation, such as that of a
 * customer at `listUsers`. Success fails, and so does a 404 of a path that names no record.
 */
function expectRefused(permission: Permission, { exchange, report }: Judged): void {
  const { identity, status, outcome } = exchange
  const cites = cite(permission)
  if (status === 403) {
    report.passed(exchange, cites)
    const fault = `the token of a ${tokenKindOf(identity)}`
    expectCode(permission.refusal, fault, { cites, exchange, report })
    return
  }

  // A path without an id exists for every token, so a 404 can only hide it from this one.
  const isHidden = status === 404 && !namesRecord(exchange)
  // Any other refusal may have another reason than the token.
  if (outcome !== 'accepted' && !isHidden) return

  const message = `${describeCall(exchange)}; expected 403.`
  report.failed(exchange, cites, message, { impact: 'high' })
}

/** Describes a response for a message: `listUsers returns 403 for the token of a customer`. */
function describeCall({ operation, status, identity }: Exchange): string {
  return `${operation?.id} returns ${status} for the token of a ${tokenKindOf(identity)}`
}

function namesRecord({ parameters }: Exchange): boolean {
  return Object.keys(parameters).length > 0
}

/** Finds what says whose token an operation takes; undefined if it takes every kind. */
function findPermission(operation: Exchange['operation']) {
  const id = operation?.id ?? ''
  return Object.values(permissions).find(({ operations }) => operations.some((one) => one === id))
}

const accessRecords: Rule = {
  id: 'access-records',
  says: "Another identity's record gets the same response as an id that no record has.",
  advice: 'Look up records by owner and id in one query, and return 404 if there is none.',
  settles: [
    'record-owners/webhook of another partner',
    'record-owners/user of another partner',
    // That another partner does not see it says nothing of other accounts of the same one.
    'record-owners/immediateQrCode of another owner',
    'record-owners/dueDateQrCode of another owner',
  ],
  needs: ['requestBody', 'target', 'times'],
  judges: 'refusals',
  /** Expects that a record of another owner, which a request names by its id, stays hidden behind a 404. */
  read(exchange, model, report) {
    // A service refuses an expired token, or one of the wrong kind, before it looks up the record.
    const mayRefuseToken = exchange.outcome !== 'accepted' && !hasCurrentToken(exchange, model)
    if (mayRefuseToken) return
    if (!isTokenKindAllowed(exchange) || isPartnerRefused(exchange, model)) return

    for (const record of findRecordsById(exchange, model)) {
      const isOfAnotherOwner = compareOwner(exchange.identity, record) === 'different'
      if (isOfAnotherOwner) expectHidden(record, { exchange, model, report })
    }
  },
}

/** Statuses that reveal that a record is there. */
const REVEALING_STATUSES = [403, 409, 410]

/**
 * Expects 404 for a request that names a record of another owner. Success fails, and so does a status that
 * reveals the record, such as 409. Other refusals prove nothing.
 */
function expectHidden(record: KnownRecord, { exchange, report }: RuleContext): void {
  const { operation, status, outcome } = exchange
  const owner = isOfOtherPartner(exchange, record) ? 'another partner' : 'another owner'
  const cites = citeStatement(conventions.owners, `${record.kind.name} of ${owner}`)
  const owned = `${withArticle(record.kind.name)} of ${describeOwner(exchange, record)}`
  const message = `${operation?.id} returns ${status} for ${owned}; expected 404.`

  if (outcome === 'accepted') {
    report.failed(exchange, cites, message, describeAccess(exchange, record))
    return
  }

  if (REVEALING_STATUSES.includes(status)) {
    report.failed(exchange, cites, message, { about: String(status) })
    return
  }

  if (status === 404) report.passed(exchange, cites)
}

/**
 * Says what is at stake if a record of another owner is reached. Only another partner's record is critical, since a
 * partner may share records with its customers. What customers reach has findings of its own, by owner, so that a
 * baseline hides none of them with what their partner reaches.
 */
function describeAccess(exchange: Exchange, record: KnownRecord): Pick<At, 'about' | 'impact'> {
  const { name } = record.kind
  const owned = `${name} of ${describeOwner(exchange, record)}`
  if (isOfOtherPartner(exchange, record)) return { about: owned, impact: 'critical' }
  return { about: isForCustomer(exchange) ? owned : name, impact: 'high' }
}

/** Describes the owner of a record that another identity reaches, such as `another customer`. */
function describeOwner(exchange: Exchange, record: KnownRecord): string {
  if (isOfOtherPartner(exchange, record)) return 'another partner'
  if (!isForCustomer(exchange)) return 'another owner'
  return record.owner?.customer === undefined ? "the customer's partner" : 'another customer'
}

function isForCustomer({ identity }: Exchange): boolean {
  return identity?.customer !== undefined
}

function isOfOtherPartner({ identity }: Exchange, { owner }: KnownRecord): boolean {
  return identity?.partner !== owner?.partner
}

/**
 * Lists the known records that a request names by their ids: in its path, or in the body of an
 * impersonation, which names a user and a customer.
 */
function findRecordsById(exchange: Exchange, { records }: Model): KnownRecord[] {
  const { operation, requestBody } = exchange
  if (operation?.id === 'impersonate') {
    const user = records.find({ name: 'user' }, stringAt(requestBody, '/user_id') ?? '')
    const customer = records.find({ name: 'customer' }, stringAt(requestBody, '/customer_id') ?? '')
    return [user, customer].filter((record) => record !== undefined)
  }

  const record = records.findInPath(exchange)
  return record ? [record] : []
}

const accessLists: Rule = {
  id: 'access-lists',
  says: 'No response shows a record of another owner.',
  advice: 'Restrict every query to the records of the caller, before any other filter.',
  needs: [],
  /**
   * Expects that each record in a list belongs to the caller: whoever created a record, or saw it first, is
   * its owner. Records of an unknown owner are left out.
   */
  read(exchange, model, report) {
    for (const { kind, id, at } of exchange.records) {
      // The request for one record by its id is a matter of the rule access-records.
      const isWholeBody = at === ''
      const record = model.records.find(kind, id)
      if (isWholeBody || !record) continue

      const comparison = compareOwner(exchange.identity, record)
      if (comparison === 'unknown') continue

      report.expect(
        comparison === 'same',
        {
          evidence: exchange,
          cites: cite(conventions.owners),
          ...describeAccess(exchange, record),
        },
        () =>
          `${exchange.operation?.id} shows ${withArticle(kind.name)} of ${describeOwner(exchange, record)}.`,
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
