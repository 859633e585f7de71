import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, stringAt } from '../contract/json.ts'
import { actionOf, fieldName, type Kind, type Shown } from '../contract/kinds.ts'
import type { RecordedExchange } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Trace, withoutResponse } from './exchange.ts'
import { type Identity, nameOf } from './identity.ts'

/** A value that a field may show. */
export interface Allowed {
  readonly value: unknown
  /** The exchange that showed or set it. */
  readonly by: Trace
  /** Whether it was sent, so that a response may write it in another way and add fields to it. */
  readonly isSent?: true
}

/** What is known about a record. */
export interface KnownRecord {
  readonly kind: Kind
  readonly id: string
  readonly owner: Identity | undefined
  /** The accepted request that created it, without its response; undefined if the history does not show it. */
  readonly created: Exchange | undefined
  /** Its place in the order of creations; undefined if that is not known. */
  readonly order: number | undefined
  /** What each field may show: several values after an unknown outcome, the newest last. */
  readonly fields: ReadonlyMap<string, readonly Allowed[]>
  readonly isGone: boolean | 'perhaps'
  /** The last request that names it, whatever its outcome. */
  readonly lastNamed: Trace | undefined
  /** When the last write that may concern it was complete. */
  readonly changedAt: number
}

/** The records that the history has shown. */
export interface Records {
  find(kind: Kind, id: string): KnownRecord | undefined
  /** Records with this payment code. */
  withCode(emv: unknown): readonly KnownRecord[]
  /** All records of a kind. */
  of(kind: Kind): readonly KnownRecord[]
  /** The records that a request names: by its path, or by a payment code in its body. */
  named(exchange: Exchange): readonly KnownRecord[]
  /** What the fields of a record may show in the response to a request. */
  expected(exchange: Exchange, shown: Pick<Shown, 'kind' | 'id'>): ReadonlyMap<string, readonly Allowed[]>
  /** The last accepted write to any record of a kind. */
  lastWrite(kind: Kind): Trace | undefined
  fold(exchange: Exchange): void
  clear(): void
  readonly forgotten: number
}

/** Records that are remembered. */
const MOST = 10_000
type Change = { -readonly [name in keyof KnownRecord]: KnownRecord[name] }

/** @param lagMs Milliseconds by which a list may lag behind a write. */
export function createRecords(kinds: readonly Kind[], lagMs: number): Records {
  const known = new Bounded<string, Change>(MOST)
  const codes = new Bounded<string, Change[]>(MOST)
  const recordKinds = new Map(
    kinds.flatMap((kind) => Object.values(kind.resource.operations).map((id) => [id, kind])),
  )
  const writes = new Map<Kind, Trace>()
  let count = 0

  const keyOf = (kind: Kind, id: string) => `${kind.name} ${id}`
  const find = (kind: Kind, id: string) => known.get(keyOf(kind, id))
  const withCode = (emv: unknown) => codes.get(String(emv)) ?? []

  function named(exchange: Exchange): Change[] {
    const kind = recordKinds.get(exchange.operation?.id ?? '')
    const [id] = Object.values(exchange.parameters)
    const byPath = kind && id !== undefined ? find(kind, id) : undefined
    const isPaid = exchange.operation?.id === 'createTransfer'
    return [...(byPath ? [byPath] : []), ...(isPaid ? withCode(stringAt(exchange.sent, '/emv')) : [])]
  }

  function expected(exchange: Exchange, { kind, id }: Pick<Shown, 'kind' | 'id'>) {
    const record = find(kind, id)
    const action = actionOf(kind, exchange.operation?.id)
    const fields = new Map(record?.fields)
    const isNamed = action === 'create' || named(exchange).some((it) => it === record)
    if (!isNamed || exchange.outcome === 'refused') return fields
    for (const [name, value] of changesBy(exchange, kind, record)) {
      const isUnsure = exchange.outcome === 'unknown' || isUse(exchange, kind) || isRaced(exchange, record)
      const others = (fields.get(name) ?? []).filter((it) => !isDeepStrictEqual(it.value, value))
      const before = isUnsure ? others : []
      fields.set(name, [
        ...before,
        { value, by: exchange.trace, ...(action !== 'cancel' && !isUse(exchange, kind) && SENT) },
      ])
    }
    return fields
  }

  function create(exchange: Exchange, kind: Kind, id: string): void {
    const isCreated = actionOf(kind, exchange.operation?.id) === 'create'
    known.set(keyOf(kind, id), {
      kind,
      id,
      owner: ownerOf(kind, exchange.by),
      created: isCreated ? withoutResponse(exchange) : undefined,
      order: isCreated ? ++count : undefined,
      fields: new Map(),
      isGone: false,
      lastNamed: exchange.trace,
      changedAt: isCreated ? exchange.completeAt : 0,
    })
  }

  function adopt(exchange: Exchange, { kind, id, fields, at }: Shown, expected: KnownRecord['fields']): void {
    const record = find(kind, id)
    // How a deleted record is shown is compared with what it was.
    if (!record || record.isGone === true) return
    const next = new Map(expected)
    const isBeside = exchange.beside.some((it) => mayConcern(it, record))
    const isLate = at !== '' && exchange.sentAt - record.changedAt < lagMs
    const { volatile = [] } = kind.resource
    for (const [name, value] of isBeside ? [] : Object.entries(fields)) {
      const allowed = expected.get(name) ?? []
      const isSame = (it: Allowed) => isDeepStrictEqual(it.value, value)
      const isOlder = allowed.slice(0, -1).some(isSame)
      // A write with an unknown outcome may act later, so its value stays allowed. A list may show an older value.
      const isNewer =
        volatile.includes(`/${name}`) && allowed.every((it) => momentOf(value) > momentOf(it.value))
      const isOld = isLate && !isNewer && allowed.length > 0 && !allowed.some(isSame)
      if (!isOlder && !isOld) next.set(name, [{ value, by: exchange.trace }])
    }
    record.fields = next
    const { emv } = fields
    if (typeof emv === 'string' && !withCode(emv).includes(record)) codes.set(emv, [...withCode(emv), record])
  }

  return {
    find,
    withCode,
    named,
    expected,
    of: (kind) => [...known.values()].filter((it) => it.kind === kind),
    get forgotten() {
      return known.forgotten
    },
    lastWrite: (kind) => writes.get(kind),
    fold(exchange) {
      const written = exchange.outcome === 'accepted' && exchange.operation?.effect !== 'read'
      const kind = written && recordKinds.get(exchange.operation?.id ?? '')
      if (kind) writes.set(kind, exchange.trace)
      for (const record of named(exchange)) {
        const { outcome } = exchange
        record.lastNamed = exchange.trace
        if (exchange.operation?.effect === 'read' || outcome === 'refused') continue
        if (!isWithoutEffect(exchange, record)) record.changedAt = exchange.completeAt
        if (actionOf(record.kind, exchange.operation?.id) === 'delete')
          record.isGone = outcome === 'accepted' || 'perhaps'
        record.fields = expected(exchange, record)
      }
      for (const shown of exchange.records) {
        const fields = expected(exchange, shown)
        if (!find(shown.kind, shown.id)) create(exchange, shown.kind, shown.id)
        adopt(exchange, shown, fields)
      }
    },
    clear() {
      known.clear()
      codes.clear()
    },
  }
}

const SENT = { isSent: true } as const

/** A revision, or a time in milliseconds. */
function momentOf(value: unknown): number {
  return typeof value === 'number' ? value : Date.parse(String(value))
}

/** Whether another write to a record is on its way, so that either may be the last one. */
function isRaced({ beside }: Exchange, record: KnownRecord | undefined): boolean {
  return record !== undefined && beside.some((it) => mayConcern(it, record))
}

/** A payment changes the record whose code it pays, at once or when it settles. */
function isUse({ operation }: Exchange, kind: Kind): boolean {
  return operation?.id === 'createTransfer' && actionOf(kind, operation.id) === undefined
}

/** The fields that an accepted request sets. */
function changesBy(exchange: Exchange, kind: Kind, record: KnownRecord | undefined): [string, unknown][] {
  const action = actionOf(kind, exchange.operation?.id)
  const { status } = kind.resource
  if (action === 'create' || action === 'update') return Object.entries(fieldsOf(exchange.sent))
  const event = isUse(exchange, kind) ? 'pay' : action
  if (status === undefined || event === undefined || !record) return []
  const states = (record.fields.get(fieldName(status)) ?? []).map(({ value }) => String(value))
  const next = states.flatMap((it) => kind.resource.states?.[it]?.on?.[event]?.to ?? [])
  return next.map((it) => [fieldName(status), it])
}

/** The states that the service moves a record to by itself. */
export function ownTransitions({ resource: { states = {} } }: Kind, allowed: readonly Allowed[]): unknown[] {
  const changes = allowed.flatMap(({ value }) => Object.values(states[String(value)]?.on ?? {}))
  return changes.flatMap(({ by, to }) => (by === 'service' ? [to] : []))
}

/** Whether a write that is on its way may change a record. */
export function mayConcern(
  { request: { method, path, body = '' } }: RecordedExchange,
  record: KnownRecord,
): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const codes = record.fields.get('emv')?.map(({ value }) => String(value)) ?? []
  return path.includes(record.id) || codes.some((it) => body.includes(it))
}

function ownerOf({ resource: { owner } }: Kind, by: Identity | undefined): Identity | undefined {
  return by && owner === 'partner' ? { partner: by.partner } : by
}

/** Whether an identity owns a record; undefined if one of them is not known. */
export function owns(
  by: Identity | undefined,
  record: Pick<KnownRecord, 'kind' | 'owner'>,
): boolean | undefined {
  const identity = ownerOf(record.kind, by)
  return identity && record.owner && nameOf(identity) === nameOf(record.owner)
}

/** Whether a request is an action that is declared to leave the state of its record as it is. */
export function isWithoutEffect(exchange: Exchange, record: KnownRecord): boolean {
  const { status = '', states } = record.kind.resource
  const state = sureValue(record, fieldName(status))
  const action = actionOf(record.kind, exchange.operation?.id)
  return state !== undefined && states?.[String(state)]?.on?.[action ?? '']?.to === state
}

/** The one value that a field shows; undefined if it may show several. */
export function sureValue({ fields }: KnownRecord, name: string): unknown {
  const allowed = fields.get(name) ?? []
  return allowed.length === 1 ? allowed[0]?.value : undefined
}
