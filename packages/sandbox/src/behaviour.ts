import { durationMs } from '@partner-payments/contract/duration'
import type { List, State, Transition } from '@partner-payments/spec/behaviour'
import built from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }

/** What spec/behaviour declares. */
export type Declared = typeof built

/** What the contract declares now, with its values as programs use them. See {@link useBehaviour}. */
let current = readBehaviour(built)

/** Milliseconds of each unit. */
const UNIT_MS: Readonly<Record<string, number>> = { seconds: 1_000, milliseconds: 1 }

/** An access token works for an hour. */
export const ACCESS_TOKEN_MS = 3_600_000

/** How long an access token works, in the unit in which responses show it. */
export function accessTokenExpiration(): number {
  const { unit } = current.declared.lifetimes['access-token'].expires
  return ACCESS_TOKEN_MS / (UNIT_MS[unit] ?? 1)
}

/** The code for a token of a kind that operations for partners do not take; undefined if they do. */
export function refusalOfToken(kind: string): RefusalCode | undefined {
  const { tokens, refusal } = current.declared.permissions['partner-only']
  // The lint of the contract made sure that the code is declared.
  return tokens.includes(kind) ? undefined : (refusal as RefusalCode)
}

/** The bytes that the contract lets a body have. */
export function declaredMaxBodyBytes(): number {
  return current.declared.conventions.bodySize.bytes
}

/** The webhooks that the contract lets a partner have at a time. */
export function declaredMaxWebhooks(): number {
  return current.declared.resources.webhook.most.count
}

function findList(list: ListId): List {
  return current.declared.lists[list] as List
}

/** The direction of SQL in which a list shows its records by their positions. */
export function readSortDirection(list: ListId): 'ASC' | 'DESC' {
  return findList(list).order?.direction === 'oldest-first' ? 'ASC' : 'DESC'
}

/** The pointers into a record that the query parameters of a list filter by. */
export function readDeclaredFilters(list: ListId): Readonly<Record<string, string>> {
  const filters = Object.entries(findList(list).filters ?? {})
  return Object.fromEntries(filters.map(([name, { field }]) => [name, field]))
}

/** Records on a page of a request without a limit, as the contract declares the parameter. */
export const PAGE_SIZE = Number(openapi.components.parameters.Limit.schema.default)

/** The words for kinds of keys. */
export type KeyWord = keyof Declared['invariants']['key-kind']['formOf']['forms']

/** The words for kinds of owners. */
export type OwnerWord = keyof Declared['invariants']['owner-kind']['formOf']['forms']

export type ListId = keyof Declared['lists']

/** How long an attempt to deliver an event takes, and when the next one follows. */
export function deliverySettings() {
  return current.deliveries
}

/** How long an initiation id from a key lookup can be used, in milliseconds. */
export function initiationLifetimeMs(): number {
  return current.initiationLifetimeMs
}

/** Values of a charge that the request may leave out. */
export function chargeDefaults() {
  return current.chargeDefaults
}

/** The events of each change. Those of a credit go to the partner whose account receives it. */
export function eventsByChange() {
  return current.eventsByChange
}

/**
 * Takes other values from now on, in every sandbox of this process. For development, when
 * spec/behaviour was edited.
 *
 * @throws {TypeError} if something is missing; the old values stay in use
 */
export function useBehaviour(next: Declared): void {
  current = readBehaviour(next)
}

/**
 * Converts the declarations in spec/behaviour to the values that the sandbox uses.
 *
 * @throws {TypeError} if something is missing
 */
function readBehaviour(declared: Declared) {
  return {
    declared,
    deliveries: readDeliveries(declared),
    initiationLifetimeMs: durationMs(declared.oneTimeValues.initiation.lifetime),
    chargeDefaults: readChargeDefaults(declared),
    eventsByChange: readEventsByChange(declared),
  }
}

/** The times of webhook deliveries, in milliseconds. */
function readDeliveries({ deliveries }: Declared) {
  return {
    timeoutMs: durationMs(deliveries.timeout),
    /**
     * The wait after each failed attempt: ten attempts over 75 hours 35 minutes (Standard Webhooks
     * 1.0.0).
     */
    waitsMs: deliveries.waits.map(durationMs),
    /** How long a rotated secret still signs next to the new one. */
    overlapMs: durationMs(deliveries.overlap.duration),
  }
}

/** What a charge gets if its request leaves the validity out. */
function readChargeDefaults({ resources }: Declared) {
  return {
    /** Calendar days after the due date. */
    expiration_days: resources.dueDateQrCode.defaults['/calendar/expiration_days'].value,
    /** Seconds. */
    expiration: resources.immediateQrCode.defaults['/calendar/expiration'].value,
  }
}

/** A state of a transfer. A word that the contract no longer has is a type error. */
type TransferState<Word extends keyof Declared['resources']['transfer']['states']> = Word

/** The states in which a transfer ends, as the tables have them. */
export type EndState = TransferState<'settled' | 'rejected'>

/** The types of events. */
export type EventType = keyof Declared['events']

/**
 * The types of the events that each change emits, such as `paid: ['qrcode.paid']`. A settled
 * transfer emits one event for its payer (`settled`) and one for its receiver (`credited`).
 */
function readEventsByChange({ resources, events }: Declared) {
  const settle = requireTransition(resources.transfer, 'settle')
  const reject = requireTransition(resources.transfer, 'reject')
  // Both kinds of charges have the same states.
  const pay = requireTransition(resources.immediateQrCode, 'pay')
  const cancel = requireTransition(resources.immediateQrCode, 'cancel')
  return {
    settled: selectEvents(settle, 'owner', events),
    credited: selectEvents(settle, 'beneficiary', events),
    rejected: selectEvents(reject, 'owner', events),
    paid: selectEvents(pay, 'owner', events),
    cancelled: selectEvents(cancel, 'owner', events),
  }
}

/**
 * The transition with a name from the state in which records are created, such as `settle` of a
 * pending transfer. The name of that state, `pending`, is an assumption that may change, so it is
 * read: it is the first of `initial`.
 */
function requireTransition({ initial, states }: Stateful, name: string): Transition {
  const [first = ''] = initial
  const transition = states[first]?.on?.[name]
  if (!transition)
    throw new TypeError(`spec/behaviour declares no transition "${name}" of the state "${first}"`)
  return transition
}

/** A resource whose records have a status. */
interface Stateful {
  readonly initial: readonly string[]
  readonly states: Readonly<Record<string, State>>
}

/**
 * The events that a transition emits for one receiver, in their declared order. A transition is a
 * change of state, such as `pay`. The receiver is the owner of the record, or the beneficiary of a
 * transfer.
 */
function selectEvents(
  transition: Transition,
  receiver: Receiver,
  events: Declared['events'],
): readonly EventType[] {
  // The lint of the contract made sure that each is declared.
  const types = transition.events as EventType[]
  return types.filter((type) => readReceiver(events[type]) === receiver)
}

type Receiver = 'owner' | 'beneficiary'

function readReceiver(event: object): string {
  return 'receiver' in event ? String(event.receiver) : 'owner'
}

/** The types of webhooks that receive an event. */
export function listSubscribers(type: EventType): readonly string[] {
  return current.declared.events[type].subscribers
}

/** The codes of refusals. */
export type RefusalCode = keyof Declared['refusals']

/** The entry of a code in the error catalogue. */
export type CatalogueEntry = Pick<Declared['refusals'][RefusalCode], 'when' | 'fix' | 'question'>

/** What the error catalogue says of a code; undefined if it has none. */
export function catalogueEntry(code: string): CatalogueEntry | undefined {
  const refusals: Readonly<Record<string, CatalogueEntry>> = current.declared.refusals
  return refusals[code]
}

/** Describes the cause of a refusal for people. The text contains no data from the request. */
export function readCause(code: RefusalCode): string {
  return current.declared.refusals[code].when
}

/** The HTTP status of a refusal. If it has several, the lowest. */
export function readStatus(code: RefusalCode): number {
  const statuses = current.declared.refusals[code].responses.map(({ status }) => status)
  return Math.min(...statuses)
}
