import { behaviour } from '../contract/behaviour.ts'
import { INACTIVE } from '../contract/words.ts'
import {
  cancelCode,
  type ExpectedEvent,
  payExample,
  payKeyOfPartner,
  payTooMuch,
  transferEvent,
} from './caused-events.ts'
import { tryAttempts } from './delivery-attempts.ts'
import type { Plan, PlanContext } from './plan.ts'
import {
  activate,
  createReceivingWebhook,
  createReceivingWebhooks,
  deleteWebhooks,
  type ReceivingWebhook,
  updateWebhook,
  type WebhookOptions,
  waitForDeliveries,
  waitForUnexpectedDeliveries,
} from './receiving-webhooks.ts'
import { CODE_KINDS, DUE_DATE_CODES, IMMEDIATE_CODES } from './records.ts'
import { receiveRefusedPayments } from './refused-payments.ts'
import { repeatWrongPayments } from './repeat-wrong-payments.ts'
import { EXAMPLE } from './valid-requests.ts'

/** Receives the events of each cause, with receivers that fail, and with webhooks that change. */
export const deliveries: Plan = {
  id: 'deliveries',
  beside: 'waits',
  wants: [
    'deliveries-received',
    'deliveries-sent',
    'deliveries-once',
    'deliveries-subscribed',
    'deliveries-shaped',
    'deliveries-shown',
    'deliveries-signed',
    'deliveries-secrets',
    'deliveries-retried',
    'money-paid',
  ],
  /**
   * Creates a webhook, causes each event, then changes webhooks and lets receivers fail. Sends nothing if
   * no delivery can reach this machine, and stops if the service delivers no event.
   */
  async run(context) {
    const { receiver, isChosen } = context
    const webhookOperations = Object.values(behaviour.resources.webhook.operations)
    if (!receiver || !webhookOperations.some(isChosen)) return

    const allEvents = await createReceivingWebhook(context)
    if (!allEvents) return
    await activate(context, allEvents)

    const withQuery = await causeAllEvents(context, allEvents)
    const doesServiceDeliver = allEvents.inbox.deliveries.length > 0
    if (!doesServiceDeliver) return

    await receiveWrongPayments(context, allEvents)
    await receiveRefusedPayments(context, allEvents)
    await tryUpdates(context, allEvents, withQuery)
    await tryAttempts(context, allEvents)
  },
}

/**
 * Causes each event while several webhooks receive: `allEvents`, and new ones of each type, with a query in the URL, and
 * of another partner. Returns the one with the query, and deletes the other new ones. Undefined if the service refused
 * to create it.
 */
async function causeAllEvents(
  context: PlanContext,
  allEvents: ReceivingWebhook,
): Promise<ReceivingWebhook | undefined> {
  const hasOtherPartner = context.identities.has('other')
  const options: WebhookOptions[] = [{ query: '?to=me' }, { type: 'transfer' }, { type: 'qrcode' }]
  if (hasOtherPartner) options.push({ by: 'other' })
  const webhooks = await createReceivingWebhooks(context, options)
  const [withQuery, forTransfers, forCodes, ofOtherPartner] = webhooks

  // For each payment or cancellation, the events that must be delivered.
  const causes = listCauses(context, hasOtherPartner)
  const eventsByCause = await context.sideBySide(causes, (cause) => cause())

  // All events are of the first partner.
  const receivers = [allEvents, withQuery, forTransfers, forCodes]
  const tookMs = await waitForDeliveries(context, receivers, eventsByCause.flat())
  await waitForUnexpectedDeliveries(context, [...receivers, ofOtherPartner], tookMs)
  // The lists show the changed codes, with which a rule compares the events.
  await context.sideBySide(CODE_KINDS, ({ list }) => context.send(list))
  await deleteWebhooks(context, [forTransfers, forCodes, ofOtherPartner])
  return withQuery
}

/**
 * Lists functions, each of which causes events by a payment or a cancellation, and returns the events that
 * the webhooks of the partner must get: `[{ webhookType: 'transfer', text: 'tr_1' }]`.
 */
function listCauses(
  context: PlanContext,
  hasOtherPartner: boolean,
): readonly (() => Promise<ExpectedEvent[]>)[] {
  const causes = [
    () => cancelCode(context, IMMEDIATE_CODES),
    () => cancelCode(context, DUE_DATE_CODES),
    () => payExample(context, EXAMPLE.key, 'partner'),
    () => payExample(context, EXAMPLE.key, 'customer'),
    () => payExample(context, EXAMPLE.immediateCode, 'payer'),
    () => payExample(context, EXAMPLE.dueDateCode, 'payer'),
    () => payExample(context, EXAMPLE.staticCode, 'payer'),
    () => payKeyOfPartner(context, 'payer'),
    () => payTooMuch(context),
  ]
  if (hasOtherPartner) {
    causes.push(() => payExample(context, EXAMPLE.immediateCode, 'other'))
    causes.push(() => payKeyOfPartner(context, 'other'))
  }
  // The partner pays its own code, which a service may reject.
  causes.push(() => payExample(context, EXAMPLE.immediateCode, 'partner'))
  return causes
}

/**
 * Repeats the wrong payments that the service accepted earlier, and waits for their events. Does nothing if it accepted
 * none.
 */
async function receiveWrongPayments(
  context: PlanContext,
  allEvents: ReceivingWebhook,
): Promise<void> {
  const accepted = await repeatWrongPayments(context)
  if (accepted.length === 0) return

  const tookMs = await waitForDeliveries(context, [allEvents], accepted.map(transferEvent))
  // The first event of a transfer may only say that it was created.
  await waitForUnexpectedDeliveries(context, [allEvents], tookMs)
}

/**
 * Changes webhooks in each way: another URL, another type, paused, resumed and deleted. Then causes one event, the
 * cancellation of a code, which only webhooks that are active and subscribed to it may get. Deletes them at the end,
 * but for `allEvents`.
 *
 * @param used The webhook that gets another URL. Something was delivered to its first one.
 */
async function tryUpdates(
  context: PlanContext,
  allEvents: ReceivingWebhook,
  used: ReceivingWebhook | undefined,
): Promise<void> {
  const webhooks = await createReceivingWebhooks(context, [{}, {}, {}, {}])
  const [narrowed, paused, resumed, deleted] = webhooks
  let moved: ReceivingWebhook | undefined
  const changes = [
    // Sets `moved`, the same webhook with its new inbox.
    async () => {
      moved = await moveToNewInbox(context, used)
    },
    // The event below is about a code, so that a webhook for transfers must not get it.
    () => updateWebhook(context, narrowed, { type: 'transfer' }),
    () => updateWebhook(context, paused, { status: INACTIVE }),
    async () => {
      await updateWebhook(context, resumed, { status: INACTIVE })
      await updateWebhook(context, resumed, {})
    },
    () => deleteWebhooks(context, [deleted]),
  ]
  await context.sideBySide(changes, (change) => change())

  const events = await cancelCode(context, IMMEDIATE_CODES)
  // These three must get the event. Then the run waits longer, for what must not come to the others.
  const tookMs = await waitForDeliveries(context, [allEvents, resumed, moved], events)
  await waitForUnexpectedDeliveries(context, [allEvents, resumed], tookMs)
  await deleteWebhooks(context, [used, narrowed, paused, resumed])
}

/** Gives a webhook the URL of a new inbox. Returns the webhook with that inbox; undefined if there is no webhook. */
async function moveToNewInbox(
  context: PlanContext,
  webhook: ReceivingWebhook | undefined,
): Promise<ReceivingWebhook | undefined> {
  const inbox = context.receiver?.open()
  if (!webhook || !inbox) return undefined
  await updateWebhook(context, webhook, { url: inbox.url })
  return { ...webhook, inbox, url: inbox.url }
}
