import type { Transition } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { type Kind, listTransitions } from '../contract/kinds.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Exchange } from './exchange.ts'

/** What is known of webhooks, of the changes of records that events report, and of what arrived. */

/** The settings of a webhook, from an accepted write on. */
export interface WebhookVersion {
  /** The write. */
  readonly by: Exchange
  readonly url: string
  readonly type: string | undefined
  /** `active`, another state, or `deleted`. */
  readonly state: string
}

/** What is known of a webhook. */
export interface KnownWebhook {
  readonly id: string
  readonly partner: string
  /** Its settings; the newest last. */
  readonly versions: readonly WebhookVersion[]
  readonly secrets: readonly { readonly secret: string; readonly by: Exchange }[]
  /**
   * Whether it is known how it is set: no write has an unknown outcome, and no response showed
   * something else.
   */
  readonly areSettingsKnown: boolean
}

/** A change of a record that events report, or a credit. */
export interface Change {
  readonly exchange: Exchange
  readonly kind: Kind
  /** The id of the record; of a credit, its `end_to_end_id`. */
  readonly id: string
  /** Whose webhooks receive the events. */
  readonly partner: string
  /** The events one of which follows, or may follow. */
  readonly events: readonly string[]
  /** Whether one follows for certain: the state before is known, and nothing else was on its way. */
  readonly isCertain: boolean
  /** The transfer that must reach a state before. Its own event shows that it has. */
  readonly after?: { readonly transfer: string; readonly state: string } | undefined
}

/** A delivery, with what its body names, in the form of the contract. */
export interface Arrival {
  readonly delivery: RecordedDelivery
  /** When it arrived. */
  readonly at: number
  readonly body: unknown
  /** The body as the service wrote it. */
  readonly received: unknown
  /** Its name as the service wrote it; empty if it has none. */
  readonly name: string
  /** Its type; empty if it has none. */
  readonly event: string
  /** The id of its record, or the `end_to_end_id` of a credit; empty if it has none. */
  readonly record: string
  /** The only `end_to_end_id` among the fields of its record; undefined if it has none, or several. */
  readonly payment: string | undefined
  /** The id that all attempts share (Standard Webhooks 1.0.0). */
  readonly message: string | undefined
  /** Whether the declared header shows that id, and no other place. */
  readonly hasDeclaredId: boolean
  /** What attempts of one delivery have in common: their id, or the body of a service without ids. */
  readonly identity: string
  /**
   * The time of the attempt in milliseconds: by its header, or when it arrived at a service that sends
   * no such header.
   */
  readonly attemptedAt: number
  /** Whether a header shows that time. */
  readonly isTimeShown: boolean
}

/** The place of the `end_to_end_id` in the event of a credit. */
export const CREDIT_ID = '/data/payment/end_to_end_id'

/** Whether the partner whose account is credited receives an event, and not the owner of a record. */
export function isCreditEvent(event: string): boolean {
  return behaviour.events[event]?.receiver === 'beneficiary'
}

/** The events of the transitions to a state. */
export function listEventsOfState(kind: Kind, state: unknown): string[] {
  const transitions = listTransitions(kind).filter(({ to }) => to === state)
  return transitions.flatMap(eventsOfOwner)
}

/** The events of a transition that the owner of the record receives. */
export function eventsOfOwner(transition: Transition | undefined): string[] {
  return (transition?.events ?? []).filter((name) => !isCreditEvent(name))
}
