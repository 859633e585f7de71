import type { Transition } from '@partner-payments/spec/behaviour'
import { behaviour } from './behaviour.ts'
import { requireKind } from './kinds.ts'

/**
 * The words for states and events, by what leads to them: an answered contract has those of the
 * service.
 */
const settle = requireTransition('transfer', 'settle')
const reject = requireTransition('transfer', 'reject')
const pay = requireTransition('immediateQrCode', 'pay')
const cancel = requireTransition('immediateQrCode', 'cancel')
const update = requireTransition('webhook', 'update')

/** The states of a transfer. */
export const PENDING = settle.from
export const SETTLED = settle.to
export const REJECTED = reject.to

/** The states of a dynamic QR code. */
export const OPEN = pay.from
export const PAID = pay.to
export const CANCELLED = cancel.to

/** The states of a webhook. */
export const ACTIVE = update.from
export const INACTIVE = update.to

/** The events of a transfer that ended, for the partner that sent it. */
export const SETTLED_EVENT = requireEvent(settle, 'owner')
export const REJECTED_EVENT = requireEvent(reject, 'owner')

/** The event of a transfer, for the partner whose account it credits. */
export const CREDIT_EVENT = requireEvent(settle, 'beneficiary')

/** The event of a QR code that was paid. */
export const PAID_EVENT = requireEvent(pay, 'owner')

/** The code of a refusal to pay more than the account holds. */
export const INSUFFICIENT_FUNDS = 'insufficient_funds'

/** A transition to another state. */
interface StateChange {
  readonly from: string
  readonly to: string
  readonly events: readonly string[]
}

/**
 * Finds the first transition of a resource that an action causes, with its events:
 * `pay` -> `{ from: 'ATIVA', to: 'CONCLUIDA', events: [...] }`. Throws if spec/behaviour declares none.
 */
function requireTransition(resource: string, action: string): StateChange {
  const { states = {} } = requireKind(resource).resource
  for (const [from, { on = {} }] of Object.entries(states)) {
    const { to, events = [] }: Transition = on[action] ?? {}
    if (to !== undefined) return { from, to, events }
  }
  throw new Error(`spec/behaviour declares no transition "${action}" of ${resource}; add one`)
}

/**
 * Finds the event of a transition for one receiver: the `owner` of the record, such as the partner that sent a
 * transfer, or the `beneficiary`, whom it credits. Throws if spec/behaviour declares none.
 */
function requireEvent({ to, events }: StateChange, receiver: 'owner' | 'beneficiary'): string {
  const event = events.find((name) => findReceiver(name) === receiver)
  if (event === undefined)
    throw new Error(`spec/behaviour declares no event of "${to}" for the ${receiver}; add one`)
  return event
}

/** Finds who receives an event: the owner of the record, unless another one is declared. */
function findReceiver(event: string): string {
  return behaviour.events[event]?.receiver ?? 'owner'
}
