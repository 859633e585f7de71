import type { RequestContext } from '../../causes/cause.ts'
import { hasDeclaredTokenKind, type Impersonation } from '../../model/consistency.ts'
import { isValid, type Token } from '../../model/exchange.ts'
import { compareOwner } from '../../model/records.ts'
import { citeEarlier, type EndContext, type RuleContext, withArticle } from '../rule.ts'

/**
 * Expects that a service does not contradict itself about access: what it lists it also finds, what it
 * does not find it does not list, and a token works as long as its response says.
 */
export function expectConsistentAccess(context: RuleContext): void {
  reportListedAsMissing(context)
  reportMissingAsListed(context)
  reportEarlyRefusal(context)
}

/**
 * Reports a 404 for a record of another owner that a list has shown to the same caller. The service may
 * hide such a record or show it, but not do both.
 */
function reportListedAsMissing({ exchange, model, report }: RuleContext): void {
  if (exchange.status !== 404) return

  for (const { kind, id } of model.records.findNamed(exchange)) {
    const list = model.consistency.findListing(exchange, id)
    if (!list || !hasAnotherOwner(id, { exchange, model })) continue

    const message = `${exchange.operation?.id} does not find ${withArticle(kind.name)} of another owner that ${list.operation} shows.`
    report.failed(exchange, citeEarlier(list, `${list.operation} shows the record`), message, {
      about: 'shown and missing',
    })
  }
}

/**
 * Reports a list that shows a record of another owner, for which the same caller got a 404 before. The
 * service may hide such a record or show it, but not do both.
 */
function reportMissingAsListed({ exchange, model, report }: RuleContext): void {
  if (exchange.outcome !== 'accepted') return

  for (const { kind, id, at } of exchange.records) {
    // A record that is the whole body is not part of a list.
    const notFound = at === '' ? undefined : model.consistency.findMissedRead(exchange, id)
    if (!notFound || !hasAnotherOwner(id, { exchange, model })) continue

    const message = `${exchange.operation?.id} shows ${withArticle(kind.name)} of another owner that ${notFound.operation} does not find.`
    report.failed(
      exchange,
      citeEarlier(notFound, `${notFound.operation} does not find it`),
      message,
      { about: 'shown and missing' },
    )
  }
}

/** Whether a record is certainly there, and has another owner than the caller of an exchange. */
function hasAnotherOwner(id: string, { exchange, model }: RequestContext): boolean {
  const named = model.records.findNamed(exchange).find((record) => record.id === id)
  const shownRecord = exchange.records.find((record) => record.id === id)
  const record = named ?? (shownRecord && model.records.find(shownRecord.kind, id))
  // After a deletion with an unknown outcome, it may be gone.
  if (record?.presence !== 'there') return false
  const isOfAnotherOwner = compareOwner(exchange.identity, record) === 'different'
  // A service may hide a cancelled record from then on.
  return isOfAnotherOwner && !model.consistency.findCancellation(id)
}

/**
 * Reports a token that the service refuses with 401 sooner than its own response said. In which unit the
 * response says that is an open question, so the shortest one counts: 3600 are 3.6 seconds.
 */
function reportEarlyRefusal({ exchange, model, report }: RuleContext): void {
  const { token, operation, sentAt, status, beside } = exchange
  const { consistency, tokens } = model
  if (status !== 401 || token?.kind !== 'access' || !hasDeclaredTokenKind(exchange)) return
  // The service may refuse how the scheme is written, such as in small letters.
  if (!exchange.request.headers.authorization?.startsWith('Bearer ')) return
  if (!tokens.wasAccepted(token) || !consistency.isCredentialRefusal(exchange)) return

  // A service may end a session when its owner signs in again.
  const isDuringSignIn = beside.some(({ request }) => request.path.includes('/auth/'))
  const shortestMs = readShortestLifetimeMs(token)
  const ageMs = model.timeAt(sentAt) - token.issuedAt
  if (isDuringSignIn || !tokens.isOfLastSignIn(token) || ageMs >= shortestMs) return

  const says = `${token.issuedBy} shows the expiration ${token.expiration}`
  const message = `${operation?.id} refused a token ${Math.round(ageMs)} ms after it was issued with the expiration ${token.expiration}.`
  report.failed(exchange, citeEarlier(exchange.trace, says), message, { about: 'lifetime' })
}

/** Numbers from which an expiration is a time: in seconds, and in milliseconds since 1970. */
const EPOCH_SECONDS = 1_000_000_000
const EPOCH_MS = 1_000_000_000_000

/** Finds how long a token lives at least, in milliseconds, whatever the unit of its expiration. */
function readShortestLifetimeMs({ expiration = 0, issuedAt }: Token): number {
  if (expiration >= EPOCH_MS) return expiration - issuedAt
  if (expiration >= EPOCH_SECONDS) return expiration * 1000 - issuedAt
  return expiration
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
 * Expects that an accepted impersonation names a customer whom the look-up of its user shows. It is judged
 * only if a look-up shows the customer with any user.
 */
function expectCustomerOfUser(impersonation: Impersonation, { model, report }: EndContext): void {
  const { partner, user, customer, accepted } = impersonation
  const { consistency } = model
  const findLookUp = (userId: string) => consistency.findUserLookUp(partner, userId)
  const lookUp = findLookUp(user)
  const isCustomerOfAnyUser = consistency.impersonations.some(
    (other) =>
      other.customer === customer && findLookUp(other.user)?.customers.has(customer) === true,
  )
  if (!accepted || !lookUp || !isCustomerOfAnyUser) return

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

/**
 * Reports the refusal of an impersonation whose customer the look-up of its user shows. Both ids must
 * have worked in another impersonation: else one of them may be blocked.
 */
function reportRefusedCustomer(impersonation: Impersonation, { model, report }: EndContext): void {
  const { partner, user, customer, accepted, refused } = impersonation
  const { consistency } = model
  const lookUp = consistency.findUserLookUp(partner, user)
  const isCustomerOfUser = lookUp?.customers.has(customer) === true
  if (accepted || !refused || !isValid(refused) || !lookUp || !isCustomerOfUser) return

  const working = consistency.impersonations.filter((other) => other.accepted !== undefined)
  const hasUserWorked = working.some((other) => other.partner === partner && other.user === user)
  const hasCustomerWorked = working.some((other) => other.customer === customer)
  if (!hasUserWorked || !hasCustomerWorked) return

  const message = 'impersonate refuses a customer whom the look-up of the user shows.'
  report.failed(refused, citeEarlier(lookUp.by, 'getUser shows the customer'), message, {
    about: 'shown customer',
  })
}
