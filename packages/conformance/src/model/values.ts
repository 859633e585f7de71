import type { OneTimeValue, Resource, Unique } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { declaredKinds, type Kind } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import { findLocation, identifyCode } from './code-identity.ts'
import { type Exchange, nameOf, withoutResponse } from './exchange.ts'

/**
 * What earlier exchanges have shown of a value that works once, such as an `initiation_id` or a `tx_id`: which of them
 * issued it, and which requests sent it, by their outcome.
 */
export interface ValueHistory {
  /**
   * The exchange that issued it, without its response; undefined for a value that requests choose.
   */
  readonly issuedBy: Exchange | undefined
  readonly accepted: readonly Exchange[]
  /** Requests whose outcome is unknown. */
  readonly unknown: readonly Exchange[]
  readonly refused: readonly Exchange[]
  /** The ids that the accepted responses show. */
  readonly records: readonly string[]
}

/** A value that works once, as a request sends it: `{ name: 'tx_id', value: '…', … }`. */
export interface SentValue {
  /** The name of a one-time value, or of a unique field of records. */
  readonly name: string
  /** Among which records it is unique; undefined for a one-time value, which a response issues. */
  readonly scope: Unique['scope'] | undefined
  readonly value: string
  /** The pointer in the body of the request. */
  readonly pointer: string
}

/** The payment code of a charge, as the request that pays it sends it. */
export function createSentCode(value: string): SentValue {
  return { name: CHARGE, scope: undefined, value, pointer: '/emv' }
}

/** The name of the payment code of a charge among the one-time values. */
const CHARGE = 'charge'

/**
 * Whether a value works only once. It does if a response issued it, maybe before the history began. The
 * code of a charge does too; that of a static code works any number of times.
 */
export function worksOnce({ name, value }: SentValue, { issuedBy }: ValueHistory): boolean {
  if (issuedBy !== undefined || MUST_BE_ISSUED.has(name)) return true
  return name === CHARGE && findLocation(value) !== undefined
}

/** A value of a response, such as an id, a secret or a payment code. */
export interface IssuedValue {
  /** Values of one name are never issued twice. */
  readonly name: string
  readonly pointer: string
  readonly value: string
}

type Place<T extends { value: string }> = Omit<T, 'value'>

const oneTimeValues = Object.entries<OneTimeValue>(behaviour.oneTimeValues)
const resources = Object.values<Resource>(behaviour.resources)

/** The names of the one-time values that a response must have issued. */
const MUST_BE_ISSUED: ReadonlySet<string> = new Set(
  oneTimeValues.filter(([, { unissued }]) => unissued !== undefined).map(([name]) => name),
)

/** Where the requests of an operation send values that work once. */
const SENT_PLACES: ReadonlyMap<string, readonly Place<SentValue>[]> = groupByOperation([
  ...resources.flatMap(listUniquePlaces),
  ...oneTimeValues.map(([name, value]) => findSentPlace(name, value)),
])

/** Where the responses of an operation issue values. */
const ISSUED_PLACES: ReadonlyMap<string, readonly Place<IssuedValue>[]> = groupByOperation([
  ...oneTimeValues.flatMap(([name, value]) => listIssuingPlaces(name, value)),
  ...declaredKinds.flatMap(listIdPlaces),
  ...resources.flatMap(listSecretPlaces),
])

/** A place in the messages of an operation. */
interface PlaceOfOperation<P> {
  readonly operation: string
  readonly place: P
}

/** Groups places by operation: `{ operation: 'checkKey', place }` becomes `'checkKey' => [place]`. */
function groupByOperation<P>(
  places: readonly PlaceOfOperation<P>[],
): ReadonlyMap<string, readonly P[]> {
  const byOperation = new Map<string, readonly P[]>()
  for (const { operation, place } of places) {
    const earlier = byOperation.get(operation) ?? []
    byOperation.set(operation, [...earlier, place])
  }
  return byOperation
}

/** The places in the messages of an exchange; empty if none is declared for its operation. */
function findPlaces<P>(
  byOperation: ReadonlyMap<string, readonly P[]>,
  { operation }: Exchange,
): readonly P[] {
  return (operation && byOperation.get(operation.id)) ?? []
}

/** Splits `checkKey#/initiation_id` into the operation and the pointer. */
function splitPlace(place: string): { readonly operation: string; readonly pointer: string } {
  const [operation = '', pointer = ''] = place.split('#')
  return { operation, pointer }
}

/** The place of a request that sends a one-time value, such as `/initiation_id` of a transfer. */
function findSentPlace(name: string, { to }: OneTimeValue): PlaceOfOperation<Place<SentValue>> {
  const { operation, pointer } = splitPlace(to)
  return { operation, place: { name, scope: undefined, pointer } }
}

/** The places of responses that issue a one-time value, such as `/initiation_id` of a look-up. */
function listIssuingPlaces(
  name: string,
  { from }: OneTimeValue,
): PlaceOfOperation<Place<IssuedValue>>[] {
  return from.map((issuingPlace) => {
    const { operation, pointer } = splitPlace(issuingPlace)
    return { operation, place: { name, pointer } }
  })
}

/** The fields that must be unique in the request that creates a resource, such as `/tx_id`. */
function listUniquePlaces({
  operations,
  unique = {},
}: Resource): PlaceOfOperation<Place<SentValue>>[] {
  const operation = operations.create
  if (operation === undefined) return []
  return Object.entries(unique).map(([pointer, { scope }]) => ({
    operation,
    place: { name: pointer.slice(1), scope, pointer },
  }))
}

/**
 * The place of the id in the response of a creation, such as `/id`, or `/data/id` if the record is inside `data`. None
 * if a kind has no ids, or is not created.
 */
function listIdPlaces({ resource }: Kind): PlaceOfOperation<Place<IssuedValue>>[] {
  const { operations, id, records = {} } = resource
  const operation = operations.create
  if (operation === undefined || id === undefined) return []

  // Where the response has the record, by the name of its schema: `{ Transfer: '/data' }`. By default, it is the body.
  const wholeBody = ''
  const [recordPointer = wholeBody] = Object.values(records)
  return [{ operation, place: { name: 'id', pointer: `${recordPointer}${id}` } }]
}

/** The fields of responses that show a secret once, such as `/secret` of `createWebhook`. */
function listSecretPlaces({ shownOnce }: Resource): PlaceOfOperation<Place<IssuedValue>>[] {
  if (!shownOnce) return []

  const places: PlaceOfOperation<Place<IssuedValue>>[] = []
  for (const operation of shownOnce.by) {
    for (const pointer of shownOnce.fields) {
      places.push({ operation, place: { name: pointer.slice(1), pointer } })
    }
  }
  return places
}

/** Limits of what is remembered: values, and requests that sent each of them, by their outcome. */
const MAX_VALUES = 10_000
const MAX_REQUESTS = 5
const UNSEEN: ValueHistory = {
  issuedBy: undefined,
  accepted: [],
  unknown: [],
  refused: [],
  records: [],
}

/**
 * The values that work once: those that responses issue, and those that are unique among records.
 */
export class Values {
  readonly #histories = new Bounded<string, ValueHistory>(MAX_VALUES)
  /** `<name> <value>` of what responses have issued, and of what accepted requests have sent. */
  readonly #issued = new Bounded<string, true>(5 * MAX_VALUES)
  readonly #accepted = new Bounded<string, true>(5 * MAX_VALUES)

  /** Whether a response may have issued a value that the history does not show. */
  mayIssueUnseen = false

  get forgotten(): number {
    return this.#histories.forgotten
  }

  /** The values that work once in the body of a request. */
  listSentValues(exchange: Exchange): readonly SentValue[] {
    return placesWithValue(findPlaces(SENT_PLACES, exchange), exchange.requestBody)
  }

  /**
   * Finds what is known of a value that a request sends; undefined if no earlier exchange had it. A unique value
   * belongs to the identity of its scope, a one-time value to everybody.
   */
  findValueHistory(
    sentValue: SentValue,
    exchange: Pick<Exchange, 'identity'>,
  ): ValueHistory | undefined {
    return this.#histories.get(buildValueKey(sentValue, exchange))
  }

  /**
   * Whether a request has a value that an accepted request has sent before and that works only once: the `tx_id` of
   * another record, or a used `initiation_id`.
   */
  isRepeated(exchange: Exchange): boolean {
    for (const sentValue of this.listSentValues(exchange)) {
      const valueHistory = this.findValueHistory(sentValue, exchange)
      if (!valueHistory || valueHistory.accepted.length === 0) continue

      // A `tx_id` is unique among the records of its scope. Of other values, not all work only once.
      const isUniqueField = sentValue.scope !== undefined
      if (isUniqueField || worksOnce(sentValue, valueHistory)) return true
    }
    return false
  }

  /** Whether an accepted request had a value, of whatever partner. */
  wasAccepted({ name, value }: SentValue): boolean {
    return this.#accepted.has(`${name} ${value}`)
  }

  /** The values that a response issues. */
  listIssued(exchange: Exchange): readonly IssuedValue[] {
    if (exchange.outcome !== 'accepted') return []
    return placesWithValue(findPlaces(ISSUED_PLACES, exchange), exchange.responseBody)
  }

  /** The values that a response should issue, and leaves empty. */
  listIssuedEmpty(exchange: Exchange): readonly Omit<IssuedValue, 'value'>[] {
    if (exchange.outcome !== 'accepted') return []
    const places = findPlaces(ISSUED_PLACES, exchange)
    return places.filter(({ pointer }) => stringAt(exchange.responseBody, pointer) === '')
  }

  /** Whether an earlier response issued a value. */
  isIssued({ name, value }: IssuedValue): boolean {
    return this.#issued.has(`${name} ${value}`)
  }

  /** Takes in the next exchange: remembers the values that its request sends, and those that its response issues. */
  fold(exchange: Exchange): void {
    for (const sentValue of this.listSentValues(exchange)) this.#rememberSent(sentValue, exchange)
    for (const issued of this.listIssued(exchange)) this.#rememberIssued(issued, exchange)

    // Its response is lost, and with it the values that it may have issued.
    const issuesValues = findPlaces(ISSUED_PLACES, exchange).length > 0
    if (issuesValues && exchange.outcome === 'unknown') this.mayIssueUnseen = true
  }

  /** Remembers that a request sent a value that works once, such as a `tx_id`: by its outcome, the last five requests. */
  #rememberSent(sentValue: SentValue, exchange: Exchange): void {
    const { outcome } = exchange
    if (outcome === 'accepted') {
      this.#rememberAccepted(sentValue, exchange)
      return
    }

    // The refused requests, or those with an unknown outcome.
    const before = this.findValueHistory(sentValue, exchange) ?? UNSEEN
    const exchanges = addLast(before[outcome], withoutResponse(exchange))
    this.#histories.set(buildValueKey(sentValue, exchange), { ...before, [outcome]: exchanges })
  }

  /** Remembers that an accepted request sent a value, such as a `tx_id`, and the id of the record that it created. */
  #rememberAccepted(sentValue: SentValue, exchange: Exchange): void {
    this.#accepted.set(`${sentValue.name} ${sentValue.value}`, true)

    const before = this.findValueHistory(sentValue, exchange) ?? UNSEEN
    const id = stringAt(exchange.responseBody, '/id')
    // Transfers use one-time values. Their response stays: if it shows the transfer as rejected, the value is free again.
    const isOneTimeValue = sentValue.scope === undefined
    const remembered = isOneTimeValue ? exchange : withoutResponse(exchange)
    this.#histories.set(buildValueKey(sentValue, exchange), {
      ...before,
      accepted: addLast(before.accepted, remembered),
      records: id === undefined ? before.records : addLast(before.records, id),
    })
  }

  /**
   * Remembers that a response issued a value, such as an id. If it works only once, such as an
   * `initiation_id`, also remembers by which exchange, so that the requests with it can be counted.
   */
  #rememberIssued({ name, value }: IssuedValue, exchange: Exchange): void {
    this.#issued.set(`${name} ${value}`, true)
    const isOneTimeValue = oneTimeValues.some(([oneTimeName]) => oneTimeName === name)
    if (!isOneTimeValue) return

    const key = buildValueKey({ name, value, scope: undefined }, exchange)
    if (!this.#histories.has(key))
      this.#histories.set(key, { ...UNSEEN, issuedBy: withoutResponse(exchange) })
  }
}

/** Adds an item to a list, of which only the last ones are kept. */
function addLast<T>(items: readonly T[], item: T): readonly T[] {
  return [...items, item].slice(-MAX_REQUESTS)
}

/**
 * The places at which a body has a string that is not empty, each with that string as `value`:
 * `[{ name: 'tx_id', pointer: '/tx_id', value: 'order42' }]`.
 */
function placesWithValue<P extends { readonly pointer: string }>(
  places: readonly P[],
  body: unknown,
): readonly (P & { readonly value: string })[] {
  const withValue: (P & { readonly value: string })[] = []
  for (const place of places) {
    const value = stringAt(body, place.pointer)
    if (value) withValue.push({ ...place, value })
  }
  return withValue
}

/** Spaces and signs without a width. No two values of a service differ by them alone. */
const INVISIBLE = /[\s\p{Cf}]/gu

/** A value with its owner as a text: `key_1 tx_id order42`. The owner is empty if the value is unique among all. */
function buildValueKey(
  { name, value, scope }: Omit<SentValue, 'pointer'>,
  exchange: Pick<Exchange, 'identity'>,
): string {
  // A payment code is the same in every spelling.
  const identity = name === CHARGE ? identifyCode(value) : value.replaceAll(INVISIBLE, '')
  return `${findScopeOwner(scope, exchange)} ${name} ${identity}`
}

/** The partner or the identity among whose records a value is unique; empty if among all. */
function findScopeOwner(
  scope: SentValue['scope'],
  { identity }: Pick<Exchange, 'identity'>,
): string {
  if (scope === undefined || scope === 'service' || identity === undefined) return ''
  return scope === 'account' ? nameOf(identity) : identity.partner
}
