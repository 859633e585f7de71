import { readTimeIfUnix } from '../../model/tokens.ts'
import type { Outcome, Sender } from '../../send/requests.ts'
import { readTokenSender } from '../../send/token-requests.ts'
import type { PlanContext } from '../plan.ts'
import { sendValidRequest } from '../send-valid.ts'
import { MAX_WAIT_MS, readExpiration } from '../token-lifetimes.ts'
import { prepareValidRequest } from '../valid-requests.ts'
import { GRACE_SECONDS, MINUTE_SECONDS, passSeconds, passTimeUntil } from './time.ts'

/** Tokens that expire during the run, and their use around their end. */

const DAY_SECONDS = 86_400

/** Who sends with the tokens of the partner and of its customer. */
interface TokenSenders {
  readonly partner: Sender
  /** Undefined if the service issued no token of a customer. */
  readonly customer: Sender | undefined
}

/**
 * For a service whose clock cannot be moved: uses a token that ends within a minute, waits until it has
 * expired, and uses it again. Does nothing if tokens work longer. Of a customer, that is the first token of the run,
 * which ends soonest.
 */
export async function waitForEndOfToken(context: PlanContext): Promise<void> {
  const { send, identities } = context
  const partner = findShortToken(context, await send('signIn'))
  const customer = findShortToken(context, identities.findFirstToken('customer'))
  const ends = [partner, customer].flatMap((token) => token?.endsAt ?? [])
  if (ends.length === 0) return

  const senders = { partner: partner?.sender, customer: customer?.sender }
  await useTokens(context, senders)
  await passTimeUntil(context, Math.max(...ends) + GRACE_SECONDS * 1000)
  await useTokens(context, senders)
}

/** A token that ends soon. */
interface ShortToken {
  readonly sender: Sender
  /** Milliseconds since 1970, by the clock of the service. */
  readonly endsAt: number
}

/** Reads the token of a response; undefined if there is none, or it does not end soon enough to wait for that. */
function findShortToken(
  { clock }: PlanContext,
  response: Outcome | undefined,
): ShortToken | undefined {
  const sender = readTokenSender(response)
  if (!response || sender === undefined) return undefined

  const { sentAt } = response
  const expiration = readExpiration(response)
  const endsAt = readTimeIfUnix(expiration, sentAt) ?? sentAt + expiration * 1000
  const remainingMs = endsAt - clock.now()
  const isShort = expiration > 0 && remainingMs <= MAX_WAIT_MS
  return isShort ? { sender, endsAt } : undefined
}

/**
 * Moves the clock of a sandbox to a minute before the tokens of the partner and of a customer expire, and
 * uses both. Then moves it past that time, and sends every operation with the expired tokens. Does nothing if tokens
 * work for less than a minute or more than a day.
 */
export async function expireTokens(context: PlanContext): Promise<void> {
  const impersonated = await sendValidRequest(context, 'impersonate')
  const signedIn = await context.send('signIn')
  const partner = readTokenSender(signedIn)
  const seconds = readExpiration(signedIn)
  // A minute before its end must be ahead, and the clock must not move by more than a day.
  const isShortLived = seconds > MINUTE_SECONDS && seconds <= DAY_SECONDS
  if (partner === undefined || !isShortLived) return

  const senders = { partner, customer: readTokenSender(impersonated) }
  await useTokens(context, senders)
  const isBeforeEnd = await passSeconds(context, seconds - MINUTE_SECONDS)
  if (!isBeforeEnd) return
  await useTokens(context, senders)

  const isAfterEnd = await passEndWithYoungToken(context, partner, impersonated?.input.body)
  if (isAfterEnd) await useExpiredTokens(context, senders)
}

/**
 * Gets a new token of a customer a minute before the token of the partner ends, and uses it before and after that end:
 * it must not end with the other one. Returns whether the clock was moved past the end.
 *
 * @param body Names the customer.
 */
async function passEndWithYoungToken(
  context: PlanContext,
  partner: Sender,
  body: unknown,
): Promise<boolean> {
  const youngCustomer = readTokenSender(await context.send('impersonate', { body, by: partner }))
  await useTokenOfCustomer(context, youngCustomer)

  const isAfterEnd = await passSeconds(context, MINUTE_SECONDS + GRACE_SECONDS)
  if (isAfterEnd) await useTokenOfCustomer(context, youngCustomer)
  return isAfterEnd
}

/** Sends a request with the token of the partner, and one with that of the customer, as far as there are any. */
async function useTokens(
  context: PlanContext,
  { partner, customer }: Readonly<Record<keyof TokenSenders, Sender | undefined>>,
): Promise<void> {
  if (partner !== undefined) await context.send('listUsers', { by: partner })
  await useTokenOfCustomer(context, customer)
}

/** Sends a request with a token of the customer. Does nothing if the service issued none. */
async function useTokenOfCustomer(
  { send }: PlanContext,
  customer: Sender | undefined,
): Promise<void> {
  if (customer !== undefined) await send('listImmediateQrCodes', { by: customer })
}

/**
 * Sends a valid request of each operation with the expired token of the partner, and with that of its
 * customer where the operation takes one. The service must refuse all with 401.
 */
async function useExpiredTokens(
  context: PlanContext,
  { partner, customer }: TokenSenders,
): Promise<void> {
  const { send, contract, isChosen } = context
  for (const { id, scheme, isAlias, tokens } of contract.operations) {
    if (scheme === 'basic' || isAlias || !isChosen(id)) continue

    const byPartner = await prepareValidRequest(context, id)
    if (byPartner) await send(id, { ...byPartner, by: partner })

    if (customer === undefined || !tokens.includes('customer')) continue
    // A transfer of the customer starts from a look-up of its own. What others need, the partner prepares.
    const preparedBy = id === 'createTransfer' ? 'customer' : undefined
    const byCustomer = await prepareValidRequest(context, id, { by: preparedBy })
    if (byCustomer) await send(id, { ...byCustomer, by: customer })
  }
}
