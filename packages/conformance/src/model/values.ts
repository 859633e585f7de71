import type { OneTimeValue } from '@partner-payments/spec/behaviour'
import type { Contract } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { actionOf, type Kind } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, withoutResponse } from './exchange.ts'

/** A value that works once, and its uses. */
export interface UsedValue {
  /** The exchange that issued it, without its response; undefined for a value that requests choose. */
  readonly issued: Exchange | undefined
  readonly accepted: readonly Exchange[]
  /** Uses whose outcome is unknown. */
  readonly perhaps: readonly Exchange[]
  readonly refused: readonly Exchange[]
}

/** A use of a value that works once, by a request. */
export interface Use {
  /** The declared value, or the pointer of a unique field. */
  readonly name: string
  readonly value: string
  /** The pointer in the body of the request. */
  readonly pointer: string
  readonly declared?: OneTimeValue
  /** The kind of the record that it is unique among. */
  readonly kind?: Kind
}

/** The use of the payment code of a charge. */
export function chargeUse(value: string): Use {
  return { name: 'charge', value, pointer: '/emv' }
}

/** A value of a response, such as an id, a secret or a payment code. */
export interface IssuedValue {
  /** Values of one name are never issued twice. */
  readonly name: string
  readonly pointer: string
  readonly value: string
  readonly isOneTime: boolean
}

interface Place extends Omit<IssuedValue, 'value'> {
  readonly operation: string
}

/** Values, and uses of each, that are remembered. */
const MOST = 10_000
const MOST_USES = 5
const UNUSED: UsedValue = { issued: undefined, accepted: [], perhaps: [], refused: [] }

/** The values that work once: those that responses issue, and those that are unique among records. */
export class Values {
  readonly #used = new Bounded<string, UsedValue>(MOST)
  readonly #issued = new Bounded<string, true>(5 * MOST)
  readonly #taken = new Bounded<string, true>(5 * MOST)
  readonly #oneTime: readonly [name: string, OneTimeValue][]
  readonly #kinds: readonly Kind[]
  readonly #places: readonly Place[]

  constructor({ behaviour }: Contract, kinds: readonly Kind[]) {
    this.#oneTime = Object.entries(behaviour.oneTimeValues ?? {})
    this.#kinds = kinds
    this.#places = [...this.#oneTime.flatMap(placesOfValue), ...kinds.flatMap(placesOfKind)]
  }

  get forgotten(): number {
    return this.#used.forgotten
  }

  usesIn({ operation, sent }: Exchange): readonly Use[] {
    const creating = this.#kinds.filter((kind) => actionOf(kind, operation?.id) === 'create')
    const unique = creating.flatMap((kind) =>
      Object.keys(kind.resource.unique ?? {}).map((pointer) => ({ name: pointer, pointer, kind })),
    )
    const oneTime = this.#oneTime.flatMap(([name, declared]) => {
      const [id, pointer = ''] = declared.to.split('#')
      return id === operation?.id ? [{ name, pointer, declared }] : []
    })
    return [...unique, ...oneTime].flatMap((it) => {
      const value = stringAt(sent, it.pointer)
      return value ? [{ ...it, value }] : []
    })
  }

  /** A unique value is that of one partner, and a one-time value that of no partner. */
  known(use: Use, exchange: Pick<Exchange, 'by'>): UsedValue | undefined {
    return this.#used.get(keyOf(use, exchange))
  }

  /** Whether a request has a unique value that a record has, or a one-time value that was used. */
  isRepeated(exchange: Exchange): boolean {
    return this.usesIn(exchange).some((use) => {
      const known = this.known(use, exchange)
      return known && (use.kind || known.issued) && known.accepted.length > 0
    })
  }

  /** Whether any partner has used a unique value. */
  isUsed({ name, value }: Use): boolean {
    return this.#taken.has(`${name} ${value}`)
  }

  /** The values that a response issues. */
  issuedIn({ operation, outcome, shown }: Exchange): readonly IssuedValue[] {
    const places = this.#places.filter((it) => outcome === 'accepted' && it.operation === operation?.id)
    return places.flatMap(({ pointer, name, isOneTime }) => {
      const value = stringAt(shown, pointer)
      return value ? [{ name, pointer, value, isOneTime }] : []
    })
  }

  /** Whether an earlier response issued a value. */
  isIssued({ name, value }: IssuedValue): boolean {
    return this.#issued.has(`${name} ${value}`)
  }

  fold(exchange: Exchange): void {
    for (const use of this.usesIn(exchange)) {
      const known = this.known(use, exchange) ?? UNUSED
      const list = ({ accepted: 'accepted', unknown: 'perhaps', refused: 'refused' } as const)[
        exchange.outcome
      ]
      // Only the response to a transfer says whether it keeps its value used.
      const kept = use.kind || list !== 'accepted' ? withoutResponse(exchange) : exchange
      this.#used.set(keyOf(use, exchange), { ...known, [list]: [...known[list], kept].slice(-MOST_USES) })
      if (list === 'accepted') this.#taken.set(`${use.name} ${use.value}`, true)
    }
    for (const { name, value, isOneTime } of this.issuedIn(exchange)) {
      this.#issued.set(`${name} ${value}`, true)
      if (isOneTime && !this.#used.has(` ${name} ${value}`))
        this.#used.set(` ${name} ${value}`, { ...UNUSED, issued: withoutResponse(exchange) })
    }
  }

  clear(): void {
    this.#used.clear()
    this.#taken.clear()
    this.#issued.clear()
  }
}

function keyOf({ name, value, kind }: Use, { by }: Pick<Exchange, 'by'>): string {
  return `${kind ? by?.partner : ''} ${name} ${value}`
}

/** Where responses issue a one-time value. */
function placesOfValue([name, { from }]: [name: string, OneTimeValue]): Place[] {
  return from.map((it) => {
    const [operation = '', pointer = ''] = it.split('#')
    return { operation, pointer, name, isOneTime: true }
  })
}

/** Where responses issue the id of a new record, and its secrets. */
function placesOfKind({ name, resource: { operations, id = '/id', shownOnce }, places }: Kind): Place[] {
  const { create } = operations
  const own =
    create === undefined ? [] : [{ operation: create, pointer: `${places[create]}${id}`, name: 'id' }]
  const secrets = (shownOnce?.by ?? []).flatMap((operation) =>
    (shownOnce?.fields ?? []).map((pointer) => ({ operation, pointer, name: `${name} ${pointer}` })),
  )
  return [...own, ...secrets].map((it) => ({ ...it, isOneTime: false }))
}
