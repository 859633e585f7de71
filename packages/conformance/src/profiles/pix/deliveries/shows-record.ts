import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { jsonIn } from '../../../model/http.ts'
import { differingMember } from '../../../rules/records/differing-member.ts'
import type { Delivery } from '../../../transport/receiver.ts'
import { PAYING } from '../payments.ts'
import { unsettled } from '../settlement.ts'
import { DELIVERING, oneDelivery, place, transferTold } from './helpers.ts'

/** Milliseconds between what happened and its timestamp. */
const NEAR = 60_000
/** What becomes of a transfer after its answer. */
const LATER = ['status', 'settled_at', 'rejection_message']

export const deliveryShowsRecord: Rule = {
  id: 'delivery-shows-record',
  phase: 'deliveries',
  cites: { question: 'event-kinds' },
  needs: DELIVERING,
  stateful: true,
  impact: 'high',
  title: 'An event shows the record as it has become, and the moment at which it did.',
  advice: 'Take the snapshot after the change, by the function that answers requests too.',
  run: async (context) => {
    const it = await oneDelivery(context)
    if (!it?.delivery) return context.inconclusive()
    isShown(context, it.cancelled, { delivery: it.delivery, record: it.cancelled.body })
    isThen(context, it.cancelled, it.delivery)
    const told = context.contract.has(...PAYING) ? await transferTold(context) : undefined
    if (!told?.delivery) return
    const { data } = nodeOf(told.paid.body)
    isShown(context, told.paid, { delivery: told.delivery, record: data, but: LATER })
    context.expect(told.paid, unsettled(dataOf(told.delivery)), { ...place(context), about: 'settlement' })
    isSettledThen(context, told.paid, told.delivery)
  },
}

interface Told {
  readonly delivery: Delivery
  readonly record: unknown
  readonly but?: readonly string[]
}

function isShown(context: Context, exchange: Exchange, { delivery, record, but = [] }: Told): void {
  const name = differingMember(record, dataOf(delivery), but)
  context.expect(exchange, name && `Expected "${name}" of the record in its event, got another value.`, {
    ...place(context),
    about: name ?? '',
  })
}

/** By the clock of the service, which may be another than that of the run. */
function isThen(context: Context, cancelled: Exchange, { text }: Delivery): void {
  const at = Date.parse(String(nodeOf(cancelled.body).updated_at))
  const told = Date.parse(String(nodeOf(jsonIn(text)).timestamp))
  if (Number.isNaN(at)) {
    context.inconclusive()
    return
  }
  const message = 'Expected the timestamp of an event to be when it happened, got another.'
  context.expect(cancelled, Math.abs(told - at) <= NEAR ? undefined : message, {
    ...place(context),
    about: 'timestamp',
  })
}

/** The event of a settlement is of the moment of it. */
function isSettledThen(context: Context, paid: Exchange, delivery: Delivery): void {
  const settled = Date.parse(String(nodeOf(dataOf(delivery)).settled_at))
  const told = Date.parse(String(nodeOf(jsonIn(delivery.text)).timestamp))
  if (Number.isNaN(settled) || Number.isNaN(told)) return
  const message = 'Expected settled_at to be when the event of the settlement happened, got another.'
  context.expect(paid, Math.abs(told - settled) <= NEAR ? undefined : message, {
    ...place(context),
    about: 'settled',
  })
}

function dataOf({ text }: Delivery): unknown {
  return nodeOf(jsonIn(text)).data
}
