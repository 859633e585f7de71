import type { RequestContext } from '../../causes/cause.ts'
import { hasDeclaredTokenKind, type Impersonation } from '../../model/consistency.ts'
import { isValid, type Token } from '../../model/exchange.ts'
import { owns } from '../../model/records.ts'
import { citeEarlier, type EndContext, type RuleContext, withArticle } from '../rule.ts'

/** Expects that what a service shows to an identity is there for it, and that a token lives as it says. */
export function expectOwnRights(context: RuleContext): void {
  expectListedToBeThere(context)
  expectMissingToBeHidden(context)
  expectLifetime(context)
}

/** A record of another owner that a list has shown is not said to be missing. */
function expectListedToBeThere({ exchange, model, report }: RuleContext): void {
  if (exchange.status !== 404) return

  for (const { kind, id } of model.records.findNamed(exchange)) {
    const list = model.consistency.findListing(exchange, id)
    if (!list || !isOfAnother(id, { exchange, model })) continue

    const message = `${exchange.operation?.id} does not find ${withArticle(kind.name)} of another owner that ${list.operation} shows.`
    report.failed(exchange, citeEarlier(list, `${list.operation} shows the record`), message, {
      about: 'shown and missing',
    })
  }
}

/** A record of another owner that was said to be missing is in no list. */
function expectMissingToBeHidden({ exchange, model, report }: RuleContext): void {
  if (exchange.outcome !== 'accepted') return

  for (const { kind, id, at } of exchange.records) {
    const missed = at === '' ? undefined : model.consistency.findMissedRead(exchange, id)
    if (!missed || !isOfAnother(id, { exchange, model })) continue

    const message = `${exchange.operation?.id} shows ${withArticle(kind.name)} of another owner that ${missed.operation} does not find.`
    report.failed(exchange, citeEarlier(missed, `${missed.operation} does not find it`), message, {
      about: 'shown and missing',
    })
  }
}

/** Whether a record is there, and has another owner than the identity of an exchange. */
function isOfAnother(id: string, { exchange, model }: RequestContext): boolean {
  const named = model.records.findNamed(exchange).find((record) => record.id === id)
  const shown = exchange.records.find((record) => record.id === id)
  const record = named ?? (shown && model.records.find(shown.kind, id))
  if (record?.isGone !== false) return false
  return owns(exchange.by, record) === false && !model.consistency.findCancellation(id)
}

/** A token works as long as its response says, in the shortest of all units. */
function expectLifetime({ exchange, model, report }: RuleContext): void {
  const { token, operation, sentAt, status, beside } = exchange
  const { consistency, tokens } = model
  if (status !== 401 || token?.kind !== 'access' || !hasDeclaredTokenKind(exchange)) return
  // The service may refuse how the scheme is written.
  if (!exchange.request.headers.authorization?.startsWith('Bearer ')) return
  if (!tokens.wasAccepted(token) || !consistency.isCredentialRefusal(exchange)) return

  // A service may end a session when its owner signs in again.
  const isBesideSignIn = beside.some(({ request }) => request.path.includes('/auth/'))
  const shortestMs = minLifetimeMs(token)
  const ageMs = model.timeAt(sentAt) - token.issuedAt
  if (isBesideSignIn || !tokens.isOfLastSignIn(token) || ageMs >= shortestMs) return

  const says = `${token.issuedBy} shows the expiration ${token.expiration}`
  const message = `${operation?.id} refused a token ${Math.round(ageMs)} ms after it was issued with the expiration ${token.expiration}.`
  report.failed(exchange, citeEarlier(exchange.trace, says), message, { about: 'lifetime' })
}

/** Numbers from which an expiration is a time: in seconds, and in milliseconds since 1970. */
const EPOCH_SECONDS = 1_000_000_000
const EPOCH_MS = 1_000_000_000_000

/** Finds how long a token lives at least, in milliseconds, whatever the unit of its expiration. */
function minLifetimeMs({ expiration = 0, issuedAt }: Token): number {
  if (expiration >= EPOCH_MS) return expiration - issuedAt
  if (expiration >= EPOCH_SECONDS) return expiration * 1000 - issuedAt
  return expiration
}

/** Expects that a user acts for the customers that its look-up shows, and for those of no other. */
export function expectOwnImpersonations({ model, report }: EndContext): void {
  for (const acting of model.consistency.impersonations) {
    expectShownCustomer(acting, { model, report })
    expectUsableCustomer(acting, { model, report })
  }
}

/** A user does not act for a customer whom the look-ups show with another user. */
function expectShownCustomer(acting: Impersonation, { model, report }: EndContext): void {
  const { partner, user, customer, accepted } = acting
  const { consistency } = model
  const findLookUp = (userId: string) => consistency.findUserLookUp(partner, userId)
  const lookAtUser = findLookUp(user)
  const hasOwner = consistency.impersonations.some(
    (other) =>
      other.customer === customer && findLookUp(other.user)?.customers.has(customer) === true,
  )
  if (!accepted || !lookAtUser || !hasOwner) return

  report.expect(
    lookAtUser.customers.has(customer),
    {
      evidence: accepted,
      cites: citeEarlier(lookAtUser.by, 'the look-up of the user does not show the customer'),
      about: 'customer of another user',
    },
    () => 'impersonate accepts a customer whom the look-ups show with another user.',
  )
}

/** A user and a customer of whom each can act may act together, if the look-up of the user shows that. */
function expectUsableCustomer(acting: Impersonation, { model, report }: EndContext): void {
  const { partner, user, customer, accepted, refused } = acting
  const { consistency } = model
  const look = consistency.findUserLookUp(partner, user)
  const isShown = look?.customers.has(customer) === true
  if (accepted || !refused || !isValid(refused) || !look || !isShown) return

  const working = consistency.impersonations.filter((other) => other.accepted !== undefined)
  const canUserAct = working.some((other) => other.partner === partner && other.user === user)
  const canCustomerAct = working.some((other) => other.customer === customer)
  if (!canUserAct || !canCustomerAct) return

  const message = 'impersonate refuses a customer whom the look-up of the user shows.'
  report.failed(refused, citeEarlier(look.by, 'getUser shows the customer'), message, {
    about: 'shown customer',
  })
}
