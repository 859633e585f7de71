import { fieldsOf, stringAt } from '../contract/json.ts'
import { CREDIT_EVENT } from '../contract/words.ts'
import type { Outcome, Sender } from '../send/requests.ts'
import type { PlanContext } from './plan.ts'
import type { CodeKind } from './records.ts'
import { sendValidRequest } from './send-valid.ts'
import {
  EXAMPLE,
  preparePartnerKeyPayment,
  prepareValidRequest,
  TOO_MUCH,
  withAmount,
} from './valid-requests.ts'

/** The payments and cancellations that cause events, and the events that the service must deliver. */

/** An event that the service must deliver: `{ webhookType: 'transfer', text: 'tr_1' }`. */
export interface ExpectedEvent {
  /** The type of webhooks that get it. */
  readonly webhookType: 'transfer' | 'qrcode'
  /** A text of its delivery: the id or the code of its record. */
  readonly text: string
  /** The event, such as `transfer.received`, where other events have the same text. */
  readonly event?: string
}

/**
 * Pays the key or the code of an example of createTransfer. Returns the events that the webhooks of the
 * partner must get: that of its transfer, unless another partner paid, and those of its code that somebody paid.
 * None if the payment was refused.
 */
export async function payExample(
  context: PlanContext,
  example: number,
  by: 'partner' | 'customer' | 'payer' | 'other',
): Promise<ExpectedEvent[]> {
  const paid = await sendValidRequest(context, 'createTransfer', { example, by })
  if (!paid?.isAccepted) return []

  const events: ExpectedEvent[] = []
  // Another partner gets the event of its transfer itself.
  if (!isOtherPartner(context, by)) events.push(transferEvent(paid))

  const emv = stringAt(paid.input.body, '/emv')
  // The key of the example is that of somebody else.
  if (emv === undefined) return events
  // A service may reject the payment of a partner's own code, after which the code stays open.
  if (by === 'partner') return events

  // A static code has no event of its own.
  if (example !== EXAMPLE.staticCode) events.push({ webhookType: 'qrcode', text: emv })
  return [...events, ...creditEvents(paid)]
}

/** Whether a payer is another partner. As `payer`, the run chooses a customer of this partner, or the other partner. */
function isOtherPartner({ identities }: PlanContext, by: Sender): boolean {
  if (by === 'other') return true
  // The other partner is a text in `otherPayer`, and a customer an object.
  return by === 'payer' && typeof identities.otherPayer === 'string'
}

/** The event of the payer of a transfer. Without an id, any delivery counts: each has the empty text. */
export function transferEvent({ json }: Outcome): ExpectedEvent {
  return { webhookType: 'transfer', text: stringAt(json, '/id') ?? '' }
}

/**
 * Pays the key with which the partner creates codes, so that the partner itself is credited. Returns the
 * event of this credit; none if the payment was refused.
 */
export async function payKeyOfPartner(
  context: PlanContext,
  by: 'payer' | 'other',
): Promise<ExpectedEvent[]> {
  const input = await preparePartnerKeyPayment(context, by)
  if (!input) return []

  const body = { ...fieldsOf(input.body), description: 'Pedido 1003' }
  const paid = await context.send('createTransfer', { ...input, body })
  return paid.isAccepted ? creditEvents(paid) : []
}

/**
 * Pays more than any account holds. A service may accept such a transfer, and reject it later, which is an
 * event too. Returns this event; none if each amount was refused at once.
 */
export async function payTooMuch(context: PlanContext): Promise<ExpectedEvent[]> {
  const options = { example: EXAMPLE.key, by: 'customer' } as const
  const input = await prepareValidRequest(context, 'createTransfer', options)
  if (!input) return []

  for (const amount of TOO_MUCH) {
    const outcome = await context.send('createTransfer', withAmount(input, amount))
    if (outcome.isAccepted) return [transferEvent(outcome)]
  }
  return []
}

/** The event of the partner whose account a transfer credits; none without an end-to-end id. */
function creditEvents({ json }: Outcome): ExpectedEvent[] {
  const endToEndId = stringAt(json, '/data/end_to_end_id')
  if (!endToEndId) return []
  return [{ webhookType: 'transfer', text: endToEndId, event: CREDIT_EVENT }]
}

/**
 * Creates a code and cancels it twice. The second cancellation has no effect, and must cause no event.
 * Returns the event of the first one; none if it was refused.
 */
export async function cancelCode(
  context: PlanContext,
  { cancel }: CodeKind,
): Promise<ExpectedEvent[]> {
  const cancelled = await sendValidRequest(context, cancel)
  if (!cancelled) return []

  const { isAccepted, input } = cancelled
  await context.send(cancel, input)
  if (!isAccepted) return []

  const { id = '' } = input.path ?? {}
  return [{ webhookType: 'qrcode', text: id }]
}
