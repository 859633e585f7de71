import { isDeepStrictEqual } from 'node:util'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import type { Contract } from '../contract/contract.ts'
import { type Comparison, parseTime } from '../contract/json.ts'
import {
  fieldName,
  findAction,
  findState,
  findTransition,
  type Kind,
  type ShownRecord,
} from '../contract/kinds.ts'
import { isRead, mayContain } from '../history.ts'
import { type Exchange, type Identity, nameOf, type Trace } from './exchange.ts'

/** What is known of one record, and questions about it. `record-history.ts` has all of them. */

/** A value that a field of a record may show. */
export interface PossibleValue {
  readonly value: unknown
  /** The exchange that showed or set it. */
  readonly by: Trace
  /** Whether a request sent it. A response may then write it in another way, and add fields to it. */
  readonly isSent?: true
}

/** What is known about a record. */
export interface KnownRecord {
  readonly kind: Kind
  readonly id: string
  readonly owner: Identity | undefined
  /**
   * The accepted request that created it, without its response; undefined if the history does not
   * show it.
   */
  readonly created: Exchange | undefined
  /**
   * What each field may show, by its name. Several values if the outcome of a write is unknown, the
   * newest last.
   */
  readonly fields: ReadonlyMap<string, readonly PossibleValue[]>
  /** Whether it was deleted. Unknown after a deletion whose outcome is unknown. */
  readonly presence: 'there' | 'gone' | 'unknown'
  /** Whether a request that names its id was accepted, so that the service finds it. */
  readonly wasFound: boolean
  /** The last request that names it, whatever its outcome. */
  readonly lastNamed: Trace | undefined
  /** When the last write that may concern it was complete. */
  readonly changedAt: number
}

/** The field of a QR code that only a paid one has. */
export const PAYMENT = fieldName(behaviour.invariants['payment-of-paid'].filledWhen.field)

/** The fields that only records in some states have, so that they change with the status. */
export const FILLED_BY_STATUS: ReadonlySet<string> = new Set(
  Object.values<Invariant>(behaviour.invariants).flatMap(({ filledWhen }) =>
    filledWhen ? fieldName(filledWhen.field) : [],
  ),
)

type Invariant = NonNullable<Behaviour['invariants']>[string]

/**
 * Whether a record certainly has the status that it shows: it is the only one that is expected. False where `ATIVA`
 * or `CONCLUIDA` is expected, since a read may show the older one. True if no status is expected, and none is shown.
 */
export function isSureStatus(
  { fields }: Pick<ShownRecord, 'fields'>,
  expected: KnownRecord['fields'],
): boolean {
  const [status, ...otherStatuses] = listPossibleValues({ fields: expected }, 'status')
  if (otherStatuses.length > 0) return false
  // Both are undefined if none is expected, and none is shown.
  return isDeepStrictEqual(status, fields.status)
}

/** A value that only rises, as a number: a revision, or a time in milliseconds since 1970. */
export function toComparableNumber(value: unknown): number {
  return typeof value === 'number' ? value : parseTime(String(value))
}

/** The states that the service moves a record to by itself from any of those it may have: from `pending`, `settled`. */
export function listAutomaticStates(kind: Kind, allowed: readonly PossibleValue[]): unknown[] {
  const states: unknown[] = []
  for (const { value } of allowed) {
    const transitions = Object.values(findState(kind, value)?.on ?? {})
    const automatic = transitions.filter(({ by }) => by === 'service')
    for (const { to } of automatic) states.push(to)
  }
  return states
}

/**
 * Whether a record has changed since its creation. A read that lags shows what it was before; one that
 * was only created was nothing else.
 */
export function hasChanged({
  changedAt,
  created,
}: Pick<KnownRecord, 'changedAt' | 'created'>): boolean {
  return changedAt !== created?.completeAt
}

/**
 * Whether another request that may change a record was on its way at the same time as an exchange: one that names its
 * id in the path, or its payment code in the body. Requests that only read do not count.
 */
export function hasConcurrentWrite(
  { beside }: Pick<Exchange, 'beside'>,
  record: KnownRecord,
): boolean {
  const codes = listPossibleValues(record, 'emv')
  for (const { request } of beside) {
    if (isRead(request)) continue
    if (request.path.includes(record.id)) return true
    if (codes.some((code) => mayContain(request, String(code)))) return true
  }
  return false
}

/**
 * Whether another request, on its way at the same time as an exchange, may create a record of a kind: the creation
 * of that kind, or a POST that the contract does not have, which may create anything.
 */
export function hasConcurrentCreation(
  { beside }: Pick<Exchange, 'beside'>,
  { resource }: Kind,
  contract: Contract,
): boolean {
  for (const { request } of beside) {
    const [path = ''] = request.path.split('?', 1)
    const match = contract.find(request.method, path)
    if (!match && request.method === 'POST') return true
    if (match && match.operation.id === resource.operations.create) return true
  }
  return false
}

/** Who owns a record that an identity creates: it, or its partner if the records are the partner's. */
export function ownerOf({ resource }: Kind, by: Identity | undefined): Identity | undefined {
  if (!by) return undefined
  return resource.owner === 'partner' ? { partner: by.partner } : by
}

/** Compares an identity with the owner of a record: `same` if it owns the record, `unknown` if one is not known. */
export function compareOwner(
  identity: Identity | undefined,
  { kind, owner }: KnownRecord,
): Comparison {
  const possibleOwner = ownerOf(kind, identity)
  if (!possibleOwner || !owner) return 'unknown'
  return nameOf(possibleOwner) === nameOf(owner) ? 'same' : 'different'
}

/**
 * Whether a request is an action that is declared to leave the state of its record as it is, such as the second
 * cancellation of a charge. False if the state is not certain.
 */
export function isWithoutEffect({ operation }: Exchange, record: KnownRecord): boolean {
  const state = readCertainValue(record, 'status')
  if (state === undefined) return false

  const action = findAction(record.kind, operation?.id)
  const nextState = findTransition(record.kind, state, action)?.to
  return nextState === state
}

/** The one value that a field shows; undefined if it may show several. */
export function readCertainValue(record: KnownRecord, name: string): unknown {
  const values = listPossibleValues(record, name)
  return values.length === 1 ? values[0] : undefined
}

/** Lists the values that a field may show; empty if nothing is known of the field. */
export function listPossibleValues(
  { fields }: Pick<KnownRecord, 'fields'>,
  name: string,
): readonly unknown[] {
  const allowed = fields.get(name) ?? []
  return allowed.map(({ value }) => value)
}
