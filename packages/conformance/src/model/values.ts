import { tryDecode } from '@partner-payments/brcode'
import type { OneTimeValue, Resource, Unique } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { declaredKinds, type Kind } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, nameOf, withoutResponse } from './exchange.ts'

/** A value that works once, and its uses. */
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

/** A use of a value that works once, by a request. */
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
  return { name: 'charge', scope: undefined, value, pointer: '/emv' }
}

/**
 * Whether a one-time value is one. A response issued it, also unseen before the history began. A
 * static code, which issues none, works any number of times.
 */
export function worksOnce({ name, value }: Use, { issued }: UsedValue): boolean {
  if (issued !== undefined || MUST_BE_ISSUED.has(name)) return true
  return name === chargeUse(value).name && isOfCharge(value)
}

/** Whether a payment code is one of a charge, which it says itself. */
function isOfCharge(emv: string): boolean {
  const decoded = tryDecode(emv, { profile: 'lenient' })
  if (!decoded.ok) return false
  return 'location' in decoded.code && decoded.code.location !== undefined
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

/** The one-time values that no request can choose. */
const MUST_BE_ISSUED: ReadonlySet<string> = new Set(
  oneTimeValues.filter(([, { unissued }]) => unissued !== undefined).map(([name]) => name),
)

/** The values that requests use, by their operations. */
const USED: ReadonlyMap<string, readonly Place<Use>[]> = byOperation([
  ...resources.flatMap(uniqueFields),
  ...oneTimeValues.map(([name, { to }]) => {
    const { operation, pointer } = placeOf(to)
    return { operation, place: { name, scope: undefined, pointer } }
  }),
])

/** The values that responses issue, by their operations. */
const ISSUED: ReadonlyMap<string, readonly Place<IssuedValue>[]> = byOperation([
  ...oneTimeValues.flatMap(([name, { from }]) =>
    from.map((place) => {
      const { operation, pointer } = placeOf(place)
      return { operation, place: { name, pointer } }
    }),
  ),
  ...declaredKinds.flatMap(newId),
  ...resources.flatMap(secretFields),
])

/** What an operation uses or issues. */
interface OfOperation<P> {
  readonly operation: string
  readonly place: P
}

function byOperation<P>(places: readonly OfOperation<P>[]): ReadonlyMap<string, readonly P[]> {
  const grouped = Map.groupBy(places, ({ operation }) => operation)
  return new Map([...grouped].map(([operation, of]) => [operation, of.map(({ place }) => place)]))
}

/** The operation and the pointer of a place, such as `checkKey#/initiation_id`. */
function placeOf(place: string): { readonly operation: string; readonly pointer: string } {
  const [operation = '', pointer = ''] = place.split('#')
  return { operation, pointer }
}

function uniqueFields({ operations, unique = {} }: Resource): OfOperation<Place<Use>>[] {
  const operation = operations.create
  if (operation === undefined) return []
  return Object.entries(unique).map(([pointer, { scope }]) => ({
    operation,
    place: { name: pointer.slice(1), scope, pointer },
  }))
}

/** A creation issues the id of its record. */
function newId({ resource }: Kind): OfOperation<Place<IssuedValue>>[] {
  const operation = resource.operations.create
  const [at = ''] = Object.values(resource.records ?? {})
  if (operation === undefined || resource.id === undefined) return []
  return [{ operation, place: { name: 'id', pointer: at + resource.id } }]
}

function secretFields({ shownOnce }: Resource): OfOperation<Place<IssuedValue>>[] {
  const { fields = [], by = [] } = shownOnce ?? {}
  return by.flatMap((operation) =>
    fields.map((pointer) => ({ operation, place: { name: pointer.slice(1), pointer } })),
  )
}

/** Values, and uses of each, that are remembered. */
const MOST = 10_000
const MOST_USES = 5
const UNUSED: UsedValue = { issued: undefined, accepted: [], unknown: [], refused: [], records: [] }

/**
 * The values that work once: those that responses issue, and those that are unique among records.
 */
export class Values {
  readonly #used = new Bounded<string, UsedValue>(MOST)
  /** What responses have issued, and what accepted requests have used. */
  readonly #issued = new Bounded<string, true>(5 * MOST)
  readonly #taken = new Bounded<string, true>(5 * MOST)

  /** Whether a response may have issued a value that the history does not show. */
  mayIssueUnseen = false

  get forgotten(): number {
    return this.#used.forgotten
  }

  usesIn({ operation, sent }: Exchange): readonly Use[] {
    return withValues(USED.get(operation?.id ?? ''), sent)
  }

  /** A unique value is that of its scope, and a one-time value that of everybody. */
  known(use: Use, exchange: Pick<Exchange, 'by'>): UsedValue | undefined {
    return this.#used.get(keyOf(use, exchange))
  }

  /** Whether a request has a unique value that a record has, or a one-time value that was used. */
  isRepeated(exchange: Exchange): boolean {
    return this.usesIn(exchange).some((use) => {
      const known = this.known(use, exchange)
      if (!known || known.accepted.length === 0) return false
      return use.scope !== undefined || worksOnce(use, known)
    })
  }

  /** Whether any partner has used a value. */
  isUsed({ name, value }: Use): boolean {
    return this.#taken.has(`${name} ${value}`)
  }

  /** The values that a response issues. */
  issuedIn({ operation, outcome, shown }: Exchange): readonly IssuedValue[] {
    return outcome === 'accepted' ? withValues(ISSUED.get(operation?.id ?? ''), shown) : []
  }

  /** The values that a response should issue, and leaves empty. */
  emptyIn({ operation, outcome, shown }: Exchange): readonly Omit<IssuedValue, 'value'>[] {
    const places = outcome === 'accepted' ? (ISSUED.get(operation?.id ?? '') ?? []) : []
    return places.filter(({ pointer }) => stringAt(shown, pointer) === '')
  }

  /** Whether an earlier response issued a value. */
  isIssued({ name, value }: IssuedValue): boolean {
    return this.#issued.has(`${name} ${value}`)
  }

  fold(exchange: Exchange): void {
    for (const use of this.usesIn(exchange)) this.#foldUse(use, exchange)
    for (const issued of this.issuedIn(exchange)) this.#foldIssued(issued, exchange)

    const issues = ISSUED.get(exchange.operation?.id ?? '') !== undefined
    if (issues && exchange.outcome === 'unknown') this.mayIssueUnseen = true
  }

  #foldUse(use: Use, exchange: Exchange): void {
    const { outcome } = exchange
    const known = this.known(use, exchange) ?? UNUSED
    // Only the response to a transfer says whether it keeps its value used.
    const isOneTime = use.scope === undefined
    const isResponseKept = isOneTime && outcome === 'accepted'
    const kept = isResponseKept ? exchange : withoutResponse(exchange)

    const uses = [...known[outcome], kept].slice(-MOST_USES)
    const id = outcome === 'accepted' ? stringAt(exchange.shown, '/id') : undefined
    const records = id === undefined ? known.records : [...known.records, id].slice(-MOST_USES)
    this.#used.set(keyOf(use, exchange), { ...known, [outcome]: uses, records })
    if (outcome === 'accepted') this.#taken.set(`${use.name} ${use.value}`, true)
  }

  #foldIssued({ name, value }: IssuedValue, exchange: Exchange): void {
    this.#issued.set(`${name} ${value}`, true)
    if (!oneTimeValues.some(([known]) => known === name)) return

    const key = keyOf({ name, value, scope: undefined }, exchange)
    if (!this.#used.has(key)) this.#used.set(key, { ...UNUSED, issued: withoutResponse(exchange) })
  }
}

/** The places that have a value in a body. */
function withValues<P extends { readonly pointer: string }>(
  places: readonly P[] = [],
  body: unknown,
) {
  return places.flatMap((place) => {
    const value = stringAt(body, place.pointer)
    return value ? [{ ...place, value }] : []
  })
}

function keyOf(
  { name, value, scope }: Omit<Use, 'pointer'>,
  exchange: Pick<Exchange, 'by'>,
): string {
  return `${ownerOf(scope, exchange)} ${name} ${value}`
}

/** Whose value a unique value is; empty for one of everybody. */
function ownerOf(scope: Use['scope'], { by }: Pick<Exchange, 'by'>): string {
  if (scope === undefined || scope === 'service' || by === undefined) return ''
  return scope === 'account' ? nameOf(by) : by.partner
}
