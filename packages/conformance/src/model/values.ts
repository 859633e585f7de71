import type { OneTimeValue } from '@partner-payments/spec/behaviour'
import type { Contract } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { actionOf, type Kind } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, withoutResponse } from './exchange.ts'

/** A value that works once, and its uses. */
export interface UsedValue {
  readonly value: string
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
  readonly declared: OneTimeValue | undefined
  /** The kind of the record that it is unique among. */
  readonly kind: Kind | undefined
  /** The pointer in the body of the request. */
  readonly pointer: string
}

/** A value of a response, such as an id, a secret or a payment code. */
export interface IssuedValue {
  /** Values of one name are never issued twice. */
  readonly name: string
  readonly pointer: string
  readonly value: string
  readonly isOneTime: boolean
}

/** The values that work once: those that responses issue, and those that are unique among records. */
export interface Values {
  usesIn(exchange: Exchange): readonly Use[]
  known(use: Use, exchange: Exchange): UsedValue | undefined
  /** Whether a request has a unique value that a record has, or a one-time value that was used. */
  isRepeated(exchange: Exchange): boolean
  /** Whether any partner has used a unique value. */
  isUsed(use: Use): boolean
  /** The values that a response issues. */
  issuedIn(exchange: Exchange): readonly IssuedValue[]
  /** Whether an earlier response issued a value. */
  isIssued(issued: IssuedValue): boolean
  fold(exchange: Exchange): void
  clear(): void
  readonly forgotten: number
}

/** Values, and uses of each, that are remembered. */
const MOST = 10_000
const MOST_USES = 5
const UNUSED = { issued: undefined, accepted: [], perhaps: [], refused: [] }

export function createValues({ behaviour }: Contract, kinds: readonly Kind[]): Values {
  const used = new Bounded<string, UsedValue>(MOST)
  const issued = new Bounded<string, true>(5 * MOST)
  const taken = new Bounded<string, true>(5 * MOST)
  const oneTime = Object.entries(behaviour.oneTimeValues ?? {})
  const places = issuedPlaces(behaviour.oneTimeValues ?? {}, kinds)

  function usesIn(exchange: Exchange): Use[] {
    const { operation, sent } = exchange
    const unique = kinds.flatMap((kind) =>
      actionOf(kind, operation?.id) === 'create'
        ? Object.keys(kind.resource.unique ?? {}).map((pointer) => ({
            name: pointer,
            pointer,
            kind,
            declared: undefined,
          }))
        : [],
    )
    const declared = oneTime.flatMap(([name, it]) => {
      const [id, pointer = ''] = it.to.split('#')
      return id === operation?.id ? [{ name, pointer, kind: undefined, declared: it }] : []
    })
    return [...unique, ...declared].flatMap((it) => {
      const value = stringAt(sent, it.pointer)
      return value === undefined || value === '' ? [] : [{ ...it, value }]
    })
  }

  /** A unique value is that of one partner. */
  const keyOf = ({ name, value, kind }: Use, { by }: Exchange) =>
    `${kind ? by?.partner : ''} ${name} ${value}`

  return {
    usesIn,
    known: (use, exchange) => used.get(keyOf(use, exchange)),
    isRepeated: (exchange) =>
      usesIn(exchange).some((use) => {
        const known = used.get(keyOf(use, exchange))
        return known && (use.kind || known.issued) && known.accepted.length > 0
      }),
    isUsed: ({ name, value }) => taken.has(`${name} ${value}`),
    issuedIn: (exchange) => issuedBy(exchange, places),
    isIssued: ({ name, value }) => issued.has(`${name} ${value}`),
    fold(exchange) {
      for (const use of usesIn(exchange)) {
        const { accepted, perhaps, refused, issued } = used.get(keyOf(use, exchange)) ?? {
          ...UNUSED,
          value: use.value,
        }
        // Only the response to a transfer says whether it keeps its value used.
        const kept = use.kind || exchange.outcome !== 'accepted' ? withoutResponse(exchange) : exchange
        const add = (outcome: Exchange['outcome'], uses: readonly Exchange[]) =>
          exchange.outcome === outcome ? [...uses, kept].slice(-MOST_USES) : uses
        used.set(keyOf(use, exchange), {
          value: use.value,
          issued,
          accepted: add('accepted', accepted),
          perhaps: add('unknown', perhaps),
          refused: add('refused', refused),
        })
        if (exchange.outcome === 'accepted') taken.set(`${use.name} ${use.value}`, true)
      }
      for (const { name, value, isOneTime } of issuedBy(exchange, places)) {
        issued.set(`${name} ${value}`, true)
        if (isOneTime && !used.has(` ${name} ${value}`))
          used.set(` ${name} ${value}`, { ...UNUSED, value, issued: withoutResponse(exchange) })
      }
    },
    get forgotten() {
      return used.forgotten
    },
    clear() {
      used.clear()
      taken.clear()
      issued.clear()
    },
  }
}

interface Place extends Omit<IssuedValue, 'value'> {
  readonly operation: string
}

/** Where responses issue values: ids and codes of new records, secrets, and one-time values. */
function issuedPlaces(oneTime: Readonly<Record<string, OneTimeValue>>, kinds: readonly Kind[]): Place[] {
  const once = Object.entries(oneTime).flatMap(([name, { from }]) =>
    from.map((it) => {
      const [operation = '', pointer = ''] = it.split('#')
      return { operation, pointer, name, isOneTime: true }
    }),
  )
  const records = kinds.flatMap(({ name, resource: { operations, id = '/id', shownOnce }, places }) => {
    const { create } = operations
    const secrets = (shownOnce?.by ?? []).flatMap((operation) =>
      (shownOnce?.fields ?? []).map((pointer) => ({
        operation,
        pointer,
        name: `${name} ${pointer}`,
        isOneTime: false,
      })),
    )
    const own =
      create === undefined
        ? []
        : [{ operation: create, pointer: `${places[create]}${id}`, name: 'id', isOneTime: false }]
    return [...own, ...secrets]
  })
  return [...once, ...records]
}

function issuedBy({ operation, outcome, shown }: Exchange, places: readonly Place[]): IssuedValue[] {
  if (outcome !== 'accepted') return []
  return places.flatMap(({ operation: id, pointer, name, isOneTime }) => {
    const value = id === operation?.id ? stringAt(shown, pointer) : undefined
    return value === undefined || value === '' ? [] : [{ name, pointer, value, isOneTime }]
  })
}
