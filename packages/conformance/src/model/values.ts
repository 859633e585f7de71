import type { OneTimeValue, Resource, Unique } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { declaredKinds, type Kind } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import { findLocation, identifyCode } from './code-identity.ts'
import { type Exchange, nameOf, withoutResponse } from './exchange.ts'

/** A value that works once, such as an `initiation_id` or a `tx_id`, and the requests that used it. */
export interface UsedValue {
  /**
   * The exchange that issued it, without its response; undefined for a value that requests choose.
   */
  readonly issued: Exchange | undefined
  readonly accepted: readonly Exchange[]
  /** Uses whose outcome is unknown. */
  readonly unknown: readonly Exchange[]
  readonly refused: readonly Exchange[]
  /** The ids that the accepted responses show. */
  readonly records: readonly string[]
}

/** The use of a value that works once, by a request: `{ name: 'tx_id', value: '…', … }`. */
export interface Use {
  /** The name of a one-time value, or of a unique field of records. */
  readonly name: string
  /** Among which records it is unique; undefined for a one-time value, which a response issues. */
  readonly scope: Unique['scope'] | undefined
  readonly value: string
  /** The pointer in the body of the request. */
  readonly pointer: string
}

/** The use of the payment code of a charge. */
export function chargeUse(value: string): Use {
  return { name: CHARGE, scope: undefined, value, pointer: '/emv' }
}

/** The name of the payment code of a charge among the one-time values. */
const CHARGE = 'charge'

/**
 * Whether a value works only once. It does if a response issued it, maybe before the history began. The
 * code of a charge does too; that of a static code works any number of times.
 */
export function worksOnce({ name, value }: Use, { issued }: UsedValue): boolean {
  if (issued !== undefined || MUST_BE_ISSUED.has(name)) return true
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

/** Where the requests of an operation use values that work once. */
const USED_PLACES: ReadonlyMap<string, readonly Place<Use>[]> = groupByOperation([
  ...resources.flatMap(listUniquePlaces),
  ...oneTimeValues.map(([name, value]) => findPlaceOfUse(name, value)),
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

/** The place of a request that uses a one-time value, such as `/initiation_id` of a transfer. */
function findPlaceOfUse(name: string, { to }: OneTimeValue): PlaceOfOperation<Place<Use>> {
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
function listUniquePlaces({ operations, unique = {} }: Resource): PlaceOfOperation<Place<Use>>[] {
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

/** Limits of what is remembered: values, and uses of each of them. */
const MAX_VALUES = 10_000
const MAX_USES = 5
const UNUSED: UsedValue = { issued: undefined, accepted: [], unknown: [], refused: [], records: [] }

/**
 * The values that work once: those that responses issue, and those that are unique among records.
 */
export class Values {
  readonly #used = new Bounded<string, UsedValue>(MAX_VALUES)
  /** `<name> <value>` of what responses have issued, and of what accepted requests have used. */
  readonly #issued = new Bounded<string, true>(5 * MAX_VALUES)
  readonly #taken = new Bounded<string, true>(5 * MAX_VALUES)

  /** Whether a response may have issued a value that the history does not show. */
  mayIssueUnseen = false

  get forgotten(): number {
    return this.#used.forgotten
  }

  /** The values that work once in the body of a request. */
  listUses(exchange: Exchange): readonly Use[] {
    return placesWithValue(findPlaces(USED_PLACES, exchange), exchange.requestBody)
  }

  /**
   * What is known of the value that a request uses. A unique value belongs to the identity of its scope,
   * a one-time value to everybody.
   */
  findUsedValue(use: Use, exchange: Pick<Exchange, 'identity'>): UsedValue | undefined {
    return this.#used.get(buildUseKey(use, exchange))
  }

  /**
   * Whether a request has a value that an accepted request has used before and that works only once: the `tx_id` of
   * another record, or a used `initiation_id`.
   */
  isRepeated(exchange: Exchange): boolean {
    for (const use of this.listUses(exchange)) {
      const usedValue = this.findUsedValue(use, exchange)
      if (!usedValue || usedValue.accepted.length === 0) continue

      // A `tx_id` is unique among the records of its scope. Of other values, not all work only once.
      const isUniqueField = use.scope !== undefined
      if (isUniqueField || worksOnce(use, usedValue)) return true
    }
    return false
  }

  /** Whether any partner has used a value. */
  isUsed({ name, value }: Use): boolean {
    return this.#taken.has(`${name} ${value}`)
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

  /** Takes in the next exchange: remembers the values that its request uses, and those that its response issues. */
  fold(exchange: Exchange): void {
    for (const use of this.listUses(exchange)) this.#rememberUse(use, exchange)
    for (const issued of this.listIssued(exchange)) this.#rememberIssued(issued, exchange)

    // Its response is lost, and with it the values that it may have issued.
    const issuesValues = findPlaces(ISSUED_PLACES, exchange).length > 0
    if (issuesValues && exchange.outcome === 'unknown') this.mayIssueUnseen = true
  }

  /** Remembers that a request used a value that works once, such as a `tx_id`: by its outcome, the last five uses. */
  #rememberUse(use: Use, exchange: Exchange): void {
    const { outcome } = exchange
    if (outcome === 'accepted') {
      this.#rememberAcceptedUse(use, exchange)
      return
    }

    // The refused uses, or those with an unknown outcome.
    const before = this.findUsedValue(use, exchange) ?? UNUSED
    const uses = addLast(before[outcome], withoutResponse(exchange))
    this.#used.set(buildUseKey(use, exchange), { ...before, [outcome]: uses })
  }

  /** Remembers that an accepted request used a value, such as a `tx_id`, and the id of the record that it created. */
  #rememberAcceptedUse(use: Use, exchange: Exchange): void {
    this.#taken.set(`${use.name} ${use.value}`, true)

    const before = this.findUsedValue(use, exchange) ?? UNUSED
    const id = stringAt(exchange.responseBody, '/id')
    // Transfers use one-time values. Their response stays: if it shows the transfer as rejected, the value is free again.
    const isOneTimeValue = use.scope === undefined
    const remembered = isOneTimeValue ? exchange : withoutResponse(exchange)
    this.#used.set(buildUseKey(use, exchange), {
      ...before,
      accepted: addLast(before.accepted, remembered),
      records: id === undefined ? before.records : addLast(before.records, id),
    })
  }

  /**
   * Remembers that a response issued a value, such as an id. If it works only once, such as an
   * `initiation_id`, also remembers by which exchange, so that its uses can be counted.
   */
  #rememberIssued({ name, value }: IssuedValue, exchange: Exchange): void {
    this.#issued.set(`${name} ${value}`, true)
    const isOneTimeValue = oneTimeValues.some(([oneTimeName]) => oneTimeName === name)
    if (!isOneTimeValue) return

    const key = buildUseKey({ name, value, scope: undefined }, exchange)
    if (!this.#used.has(key)) this.#used.set(key, { ...UNUSED, issued: withoutResponse(exchange) })
  }
}

/** Adds an item to a list, of which only the last ones are kept. */
function addLast<T>(items: readonly T[], item: T): readonly T[] {
  return [...items, item].slice(-MAX_USES)
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
function buildUseKey(
  { name, value, scope }: Omit<Use, 'pointer'>,
  exchange: Pick<Exchange, 'identity'>,
): string {
  // A payment code is the same in every spelling.
  const identity = name === CHARGE ? identifyCode(value) : value.replaceAll(INVISIBLE, '')
  return `${findScopeOwner(scope, exchange)} ${name} ${identity}`
}

/** The partner or the identity among whose records a value is unique; empty if among all. */
function findScopeOwner(scope: Use['scope'], { identity }: Pick<Exchange, 'identity'>): string {
  if (scope === undefined || scope === 'service' || identity === undefined) return ''
  return scope === 'account' ? nameOf(identity) : identity.partner
}
