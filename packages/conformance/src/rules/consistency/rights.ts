import type { RequestContext } from '../../causes/cause.ts'
import { mayHaveEndedByAge, mayHaveExpiredInAnyUnit } from '../../causes/permissions.ts'
import type { NamedRecord } from '../../contract/kinds.ts'
import {
  hasDeclaredTokenKind,
  type Impersonation,
  isAcceptedChange,
  isRefusedRead,
} from '../../model/consistency.ts'
import { type Exchange, isValid, nameOf, type Token } from '../../model/exchange.ts'
import { compareOwner, type KnownRecord } from '../../model/records.ts'
import { tokenKindOf } from '../../model/tokens.ts'
import type { Model } from '../../model.ts'
import { citeEarlier, type EndContext, type RuleContext, withArticle } from '../rule.ts'

/**
 * Expects that a service does not contradict itself about access: what it lists it also finds, what it
 * does not find it does not list, nobody changes what is hidden from them, and a token works as long as its response
 * says.
 */
export function expectConsistentAccess(context: RuleContext): void {
  reportListedAsMissing(context)
  reportMissingAsListed(context)
  reportOwnAsForbidden(context)
  reportChangeOfHidden(context)
  reportEarlyRefusal(context)
}

/**
 * Reports a 404 for a record of another owner that a list has shown to the same identity. The service may
 * hide such a record or show it, but not do both.
 */
function reportListedAsMissing({ exchange, model, report }: RuleContext): void {
  if (exchange.status !== 404) return

  for (const record of model.records.findNamed(exchange)) {
    // The last list that showed the record to this identity.
    const list = model.consistency.findListing(exchange, record)
    if (!list || !hasAnotherOwner(record, { exchange, model })) continue

    const message = `${exchange.operation?.id} does not find ${withArticle(record.kind.name)} of another owner that ${list.operation} shows.`
    report.failed(exchange, citeEarlier(list, `${list.operation} shows the record`), message, {
      about: 'shown and missing',
    })
  }
}

/**
 * Reports a list that shows a record of another owner, for which the same identity got a 404 before. The
 * service may hide such a record or show it, but not do both.
 */
function reportMissingAsListed({ exchange, model, report }: RuleContext): void {
  if (exchange.outcome !== 'accepted') return

  for (const shownRecord of exchange.records) {
    const { kind, at } = shownRecord
    const isInList = at !== ''
    if (!isInList) continue

    // The last 404 to this identity. Asked first, since finding an owner takes longer.
    const notFound = model.consistency.findMissedRead(exchange, shownRecord)
    if (!notFound || !hasAnotherOwner(shownRecord, { exchange, model })) continue

    const message = `${exchange.operation?.id} shows ${withArticle(kind.name)} of another owner that ${notFound.operation} does not find.`
    report.failed(
      exchange,
      citeEarlier(notFound, `${notFound.operation} does not find it`),
      message,
      { about: 'shown and missing' },
    )
  }
}

/**
 * Reports a read that is forbidden (403) to the identity that has created the record, such as of a webhook. Does
 * nothing if the 403 may be about the credentials.
 */
function reportOwnAsForbidden({ exchange, model, report }: RuleContext): void {
  const { operation, identity, status } = exchange
  if (status !== 403 || operation?.effect !== 'read' || !identity) return

  const record = model.records.findInPath(exchange)
  const creator = record?.created?.identity
  if (!record?.created || !creator || nameOf(creator) !== nameOf(identity)) return
  if (record.presence !== 'there') return
  if (mayRefuseCredentials(exchange, record.created, model)) return

  const { name } = record.kind
  const message = `${operation.id} forbids ${withArticle(name)} to the ${tokenKindOf(identity)} that has created it.`
  const says = `${record.created.operation?.id} has created it for the same identity`
  report.failed(exchange, citeEarlier(record.created.trace, says), message, {
    about: 'created and forbidden',
  })
}

/**
 * Reports a change of a record that somebody else has created, accepted from an identity to whom the service refuses to
 * show the record, before the change or after it: such as a new secret for the webhook of the partner, from a customer.
 */
function reportChangeOfHidden({ exchange, model, report }: RuleContext): void {
  const isChange = isAcceptedChange(exchange)
  const record = model.records.findInPath(exchange)
  if (!record || (!isChange && !isRefusedRead(exchange))) return

  // The other one of the two came before.
  const { consistency } = model
  const changed = isChange ? exchange : consistency.findAcceptedChange(exchange, record)
  const hidden = isChange ? consistency.findRefusedRead(exchange, record) : exchange
  if (!changed || !hidden) return
  if (record.presence !== 'there' || !isCreatedByOther(record, exchange)) return
  // Some services refuse an expired token with 403.
  if (!hidden.token || mayHaveEndedByAge(hidden.token, hidden, model)) return

  const read = `${hidden.operation?.id} refuses to show it`
  const message = `${changed.operation?.id} changes ${withArticle(record.kind.name)} that somebody else has created, although ${read} to the same identity.`
  report.failed(changed, citeEarlier(hidden.trace, read), message, { about: 'hidden and changed' })
}

/** Whether another identity has certainly created a record, such as the partner for whose customer a request is. */
function isCreatedByOther({ created }: KnownRecord, { identity }: Exchange): boolean {
  if (!created?.identity || !identity) return false
  return nameOf(created.identity) !== nameOf(identity)
}

/**
 * Whether a 403 may be about the credentials of a request: some services refuse an expired token in this way. False
 * only for a token that has certainly not expired, in the very header with which an earlier request was accepted.
 */
function mayRefuseCredentials(exchange: Exchange, accepted: Exchange, model: Model): boolean {
  const { token, request } = exchange
  const isSameHeader = request.headers.authorization === accepted.request.headers.authorization
  return !isSameHeader || token === undefined || mayHaveEndedByAge(token, exchange, model)
}

/** Whether a record is certainly there, and has another owner than the identity of an exchange. */
function hasAnotherOwner({ kind, id }: NamedRecord, { exchange, model }: RequestContext): boolean {
  const record = model.records.find(kind, id)
  // After a deletion with an unknown outcome, it may be gone.
  if (record?.presence !== 'there') return false

  // A service may hide a cancelled record from then on.
  const isCancelled = model.consistency.findCancellation(record) !== undefined
  if (isCancelled) return false

  return compareOwner(exchange.identity, record) === 'different'
}

/**
 * Reports a token that worked, and that the service refuses with 401 sooner than its `expiration` said. The unit of
 * that number is an open question, so the shortest time counts that it can mean: 3.6 seconds for 3600.
 */
function reportEarlyRefusal({ exchange, model, report }: RuleContext): void {
  const { token, operation, sentAt } = exchange
  if (token?.kind !== 'access' || !model.tokens.wasAccepted(token)) return
  if (!refusesToken(exchange, model)) return
  if (mayBeReplaced(token, exchange, model)) return
  if (mayHaveExpiredInAnyUnit(token, exchange, model)) return

  const ageMs = model.timeAt(sentAt) - token.issuedAt
  const says = `${token.issuedBy} shows the expiration ${token.expiration}`
  const message = `${operation?.id} refused a token ${Math.round(ageMs)} ms after it was issued with the expiration ${token.expiration}.`
  report.failed(exchange, citeEarlier(exchange.trace, says), message, { about: 'lifetime' })
}

/** Whether a response refuses the token of its request with 401, and not where or how it was sent. */
function refusesToken(exchange: Exchange, { consistency }: Model): boolean {
  // The service may refuse how the scheme is written, such as in small letters.
  if (!exchange.authorization?.startsWith('Bearer ')) return false
  return hasDeclaredTokenKind(exchange) && consistency.isCredentialRefusal(exchange)
}

/** Whether a service may have ended the session of a token, since its owner has signed in again. */
function mayBeReplaced(token: Token, { beside }: Exchange, { tokens }: Model): boolean {
  const isDuringSignIn = beside.some(({ request }) => request.path.includes('/auth/'))
  return isDuringSignIn || !tokens.isOfLastSignIn(token)
}

/**
 * Expects that a partner can act as the customers that the look-up of a user shows, with the id of this
 * user, and not as those of another user.
 */
export function expectConsistentImpersonations({ model, report }: EndContext): void {
  for (const impersonation of model.consistency.impersonations) {
    expectCustomerOfUser(impersonation, { model, report })
    reportRefusedCustomer(impersonation, { model, report })
  }
}

/**
 * Expects that an accepted impersonation, which names a user and a customer, names a customer whom the look-up
 * of this user shows. Does nothing if no look-up shows the customer: the service may list no customers at all.
 */
function expectCustomerOfUser(impersonation: Impersonation, { model, report }: EndContext): void {
  const { partner, user, customer, accepted } = impersonation
  const lookUp = model.consistency.findUserLookUp(partner, user)
  if (!accepted || !lookUp || !isCustomerOfAnyUser(customer, partner, model)) return

  report.expect(
    lookUp.customers.has(customer),
    {
      evidence: accepted,
      cites: citeEarlier(lookUp.by, 'the look-up of the user does not show the customer'),
      about: 'customer of another user',
    },
    () => 'impersonate accepts a customer whom the look-ups show with another user.',
  )
}

/** Whether a look-up shows a customer with any of the users that impersonations of it have named. */
function isCustomerOfAnyUser(customer: string, partner: string, { consistency }: Model): boolean {
  for (const impersonation of consistency.impersonations) {
    if (impersonation.customer !== customer) continue

    const lookUp = consistency.findUserLookUp(partner, impersonation.user)
    if (lookUp?.customers.has(customer)) return true
  }
  return false
}

/**
 * Reports an impersonation that was always refused, although the look-up of its user shows the customer. Does
 * nothing if another reason is possible: the request is invalid, or the user or the customer never worked.
 */
function reportRefusedCustomer(impersonation: Impersonation, { model, report }: EndContext): void {
  const { partner, user, customer, accepted, refused } = impersonation
  const isOnlyRefused = accepted === undefined && refused !== undefined
  if (!isOnlyRefused || !isValid(refused)) return

  const lookUp = model.consistency.findUserLookUp(partner, user)
  if (!lookUp?.customers.has(customer)) return
  // If one of them has never worked, it may be blocked.
  if (!haveBothWorked(impersonation, model)) return

  const message = 'impersonate refuses a customer whom the look-up of the user shows.'
  report.failed(refused, citeEarlier(lookUp.by, 'getUser shows the customer'), message, {
    about: 'shown customer',
  })
}

/**
 * Whether the user and the customer of an impersonation were each accepted in another one: the user with another
 * customer, and the customer with another user.
 */
function haveBothWorked({ partner, user, customer }: Impersonation, model: Model): boolean {
  const working = model.consistency.impersonations.filter(({ accepted }) => accepted !== undefined)
  const hasUserWorked = working.some((other) => other.partner === partner && other.user === user)
  const hasCustomerWorked = working.some((other) => other.customer === customer)
  return hasUserWorked && hasCustomerWorked
}
