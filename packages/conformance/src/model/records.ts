import { isDeepStrictEqual } from 'node:util'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import type { Contract } from '../contract/contract.ts'
import { fieldsOf, leavesOf, stringAt, valueAt, withValue } from '../contract/json.ts'
import {
  fieldName,
  findAction,
  findActionOrPayment,
  findKind,
  findState,
  isEnding,
  type Kind,
  type ShownRecord,
} from '../contract/kinds.ts'
import type { OwnForm } from '../form/own-form.ts'
import { mayContain } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, nameOf, type Trace, withoutResponse } from './exchange.ts'

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
  /**
   * The accepted request that created it, without its response; undefined if the history does not
   * show it.
   */
  readonly created: Exchange | undefined
  /** What each field may show: several values after an unknown outcome, the newest last. */
  readonly fields: ReadonlyMap<string, readonly Allowed[]>
  readonly isGone: boolean | 'perhaps'
  /** Whether a request that names its id was accepted, so that the service finds it. */
  readonly wasFound: boolean
  /** The last request that names it, whatever its outcome. */
  readonly lastNamed: Trace | undefined
  /** When the last write that may concern it was complete. */
  readonly changedAt: number
}

/** The field of a QR code that is filled with the status of a paid one. */
export const PAYMENT = fieldName(behaviour.invariants['payment-of-paid'].filledWhen.field)

/** The fields that are filled in some states only, and so change with the status. */
export const FILLED_BY_STATUS: ReadonlySet<string> = new Set(
  Object.values<Invariant>(behaviour.invariants).flatMap(({ filledWhen }) =>
    filledWhen ? fieldName(filledWhen.field) : [],
  ),
)

type Invariant = NonNullable<Behaviour['invariants']>[string]

/** Records that are remembered. */
const MOST = 10_000
/** A record that this history may still change. */
type Change = { -readonly [name in keyof KnownRecord]: KnownRecord[name] }

/** The records that the history has shown. */
export class Records {
  readonly #known = new Bounded<string, Change>(MOST)
  readonly #codes = new Bounded<string, Change[]>(MOST)
  readonly #writes = new Map<Kind, Trace>()
  /**
   * The ids in accepted responses that show no record, such as those of paths that the contract
   * does not have.
   */
  readonly #ids = new Bounded<string, true>(MOST)
  readonly #lagMs: number

  /** @param lagMs Milliseconds by which a list may lag behind a write. */
  constructor(lagMs: number) {
    this.#lagMs = lagMs
  }

  get forgotten(): number {
    return this.#known.forgotten
  }

  find({ name }: Pick<Kind, 'name'>, id: string): Change | undefined {
    return this.#known.get(`${name} ${id}`)
  }

  /** Whether an accepted response has shown an id, whatever it responded to. */
  isShown(kind: Pick<Kind, 'name'>, id: string): boolean {
    return this.find(kind, id) !== undefined || this.#ids.has(id)
  }

  /** Records with this payment code. */
  withCode(emv: unknown): readonly KnownRecord[] {
    return this.#codes.get(String(emv)) ?? []
  }

  /** All records of a kind. */
  of({ name }: Pick<Kind, 'name'>): readonly KnownRecord[] {
    return [...this.#known.values()].filter(({ kind }) => kind.name === name)
  }

  /** The records that a request names: by its path, or by a payment code in its body. */
  named({ operation, parameters, sent }: Exchange): Change[] {
    const kind = findKind(operation?.id)
    const [id] = Object.values(parameters)
    const named: Change[] = []

    const byPath = kind && id !== undefined ? this.find(kind, id) : undefined
    if (byPath) named.push(byPath)

    if (operation?.id === 'createTransfer') {
      const byCode = this.#codes.get(String(stringAt(sent, '/emv'))) ?? []
      named.push(...byCode)
    }

    return named
  }

  /** The last accepted write to any record of a kind. */
  lastWrite(kind: Kind): Trace | undefined {
    return this.#writes.get(kind)
  }

  /** Whether a write to a record is so new that a list may lag behind it. */
  isRecent(
    { changedAt }: Pick<KnownRecord, 'changedAt'>,
    { sentAt }: Pick<Exchange, 'sentAt'>,
  ): boolean {
    return sentAt - changedAt < this.#lagMs
  }

  /** What the fields of a record may show in the response to a request. */
  expected(
    exchange: Exchange,
    { kind, id }: Pick<ShownRecord, 'kind' | 'id'>,
  ): KnownRecord['fields'] {
    const record = this.find(kind, id)
    const action = findActionOrPayment(kind, exchange.operation?.id)
    const fields = new Map(record?.fields)
    const isNamed =
      action === 'create' ||
      this.named(exchange).some((it) => it === record) ||
      (record !== undefined && mayPay(exchange, record))
    if (!isNamed || exchange.outcome === 'refused') return fields

    // A payment changes the record whose code it pays, at once or when it settles.
    const isPayment = action === 'pay'
    if (isPayment) fields.delete(PAYMENT)

    const isUnsure =
      exchange.outcome === 'unknown' || isPayment || (record && isBeside(exchange, record))
    const isSent = action !== 'cancel' && !isPayment

    for (const [name, value] of changesBy(exchange, action, record)) {
      const before = fields.get(name)
      const change: Allowed = isSent
        ? { value, by: exchange.trace, isSent: true }
        : { value, by: exchange.trace }

      if (!isUnsure) {
        fields.set(name, [change])
        continue
      }

      // Of a field that was not shown before, such a write makes no value sure.
      if (!before) continue
      const others = before.filter((allowed) => !isDeepStrictEqual(allowed.value, value))
      fields.set(name, [...others, change])
    }

    const isWrite = action === 'create' || action === 'update'
    if (isWrite) for (const name of unknownFields(exchange, fields)) fields.delete(name)
    return fields
  }

  /** Reads the states of records again, once more words of the service are known. */
  rereadStates(form: OwnForm): void {
    for (const record of this.#known.values()) {
      const allowed = record.fields.get('status') ?? []
      const read = allowed.map((one) =>
        typeof one.value === 'string'
          ? { ...one, value: form.contractWord({ ...record, field: 'status', word: one.value }) }
          : one,
      )
      if (allowed.length > 0) record.fields = new Map(record.fields).set('status', read)
    }
  }

  fold(exchange: Exchange): void {
    const { outcome, operation, trace } = exchange
    const kind = findKind(operation?.id)
    const isRead = operation?.effect === 'read'
    if (kind && outcome === 'accepted' && !isRead) this.#writes.set(kind, trace)

    for (const record of this.named(exchange)) {
      record.lastNamed = trace
      record.wasFound ||= outcome === 'accepted'
      if (!isRead && outcome !== 'refused') this.#write(record, exchange)
    }

    if (operation?.id === 'createTransfer') this.#payUnknown(exchange)
    for (const shown of exchange.records) this.#adopt(exchange, shown)

    const showsNoRecord = outcome === 'accepted' && exchange.records.length === 0
    if (showsNoRecord) this.#keepIds(exchange.shown)
  }

  /** Nothing shows which charge is paid, if its code or that of the payment is not known. */
  #payUnknown(exchange: Exchange): void {
    const named = this.named(exchange)
    for (const record of this.#known.values())
      if (!named.includes(record) && mayPay(exchange, record)) this.#write(record, exchange)
  }

  /** A write that names a record was accepted, or may have taken effect. */
  #write(record: Change, exchange: Exchange): void {
    if (!isWithoutEffect(exchange, record)) record.changedAt = exchange.completeAt

    const action = findAction(record.kind, exchange.operation?.id)
    if (isEnding(record.kind, action))
      record.isGone = exchange.outcome === 'accepted' ? true : 'perhaps'

    record.fields = this.expected(exchange, record)
  }

  #keepIds(shown: unknown): void {
    const ids = leavesOf(shown, '', (_, name) => name === 'id')
    for (const [, id] of ids) this.#ids.set(String(id), true)
  }

  #create(exchange: Exchange, { kind, id }: ShownRecord): Change {
    const isCreated = findAction(kind, exchange.operation?.id) === 'create'
    const record: Change = {
      kind,
      id,
      owner: ownerOf(kind, exchange.by),
      created: isCreated && isAllKnown(exchange) ? withoutResponse(exchange) : undefined,
      fields: new Map(),
      isGone: false,
      wasFound: false,
      lastNamed: exchange.trace,
      changedAt: isCreated ? exchange.completeAt : 0,
    }
    this.#known.set(`${kind.name} ${id}`, record)
    return record
  }

  #adopt(exchange: Exchange, shown: ShownRecord): void {
    const expected = this.expected(exchange, shown)
    const record = this.find(shown.kind, shown.id) ?? this.#create(exchange, shown)
    // How a deleted record is shown is compared with what it was.
    if (record.isGone === true) return

    const isLate = exchange.operation?.effect === 'read' && this.isRecent(record, exchange)
    const fields = isBeside(exchange, record)
      ? expected
      : fieldsAfter({ expected, shown, isLate, by: exchange.trace })
    record.fields = withoutFields(fields, unknownNames(exchange, shown))
    this.#keepCode(record, shown.fields.emv)
  }

  #keepCode(record: Change, emv: unknown): void {
    if (typeof emv !== 'string') return
    const known = this.#codes.get(emv) ?? []
    if (!known.includes(record)) this.#codes.set(emv, [...known, record])
  }
}

interface Look {
  /** What the fields might show. */
  readonly expected: KnownRecord['fields']
  readonly shown: ShownRecord
  /** Whether it is a read that may lag behind a write. */
  readonly isLate: boolean
  readonly by: Trace
}

/** What the fields of a record may show after a look at it: what it showed, if that is new. */
function fieldsAfter({ expected, shown, isLate, by }: Look): KnownRecord['fields'] {
  const next = new Map(expected)
  for (const [name, value] of Object.entries(shown.fields)) {
    const allowed = expected.get(name) ?? []
    // A write with an unknown outcome may act later, so its value stays allowed.
    const isOlder = allowed.slice(0, -1).some((it) => isDeepStrictEqual(it.value, value))
    // A read that lags shows an older value.
    const isOld = isLate && mayBeOld(name, value, { kind: shown.kind, allowed })
    if (!isOlder && !isOld) next.set(name, [{ value, by }])
  }

  // While a record may be in another state than it shows, nobody knows what these fields show.
  const isSure = isSureStatus(shown, next)
  for (const name of FILLED_BY_STATUS) {
    const value = shown.fields[name]
    if (!isSure) next.delete(name)
    else if (value !== undefined) next.set(name, [{ value, by }])
  }
  return next
}

/** Whether a record certainly has the status that it shows. */
export function isSureStatus(
  { fields }: Pick<ShownRecord, 'fields'>,
  known: KnownRecord['fields'],
): boolean {
  const [status, ...others] = known.get('status') ?? []
  return others.length === 0 && isDeepStrictEqual(status?.value, fields.status)
}

/** Whether a value that a late read shows may be one from before what is known. */
function mayBeOld(
  name: string,
  value: unknown,
  { kind, allowed }: { readonly kind: Kind; readonly allowed: readonly Allowed[] },
): boolean {
  const isKnown = allowed.some((it) => isDeepStrictEqual(it.value, value))
  if (allowed.length === 0 || isKnown) return false

  // What changes by itself only rises.
  const isVolatile = kind.resource.volatile?.includes(`/${name}`)
  const isNewer = isVolatile && allowed.every((it) => momentOf(value) > momentOf(it.value))
  return !isNewer
}

/** A revision, or a time in milliseconds. */
export function momentOf(value: unknown): number {
  return typeof value === 'number' ? value : Date.parse(String(value))
}

/**
 * The fields that an accepted action sets. A transfer shows the beneficiary that was looked up, not
 * the one that was sent.
 */
function changesBy({ sent }: Exchange, action = '', record?: KnownRecord): [string, unknown][] {
  if (action === 'create' || action === 'update') {
    const fields = Object.entries(fieldsOf(withoutUnused(sent)))
    return fields.filter(([name]) => name !== 'beneficiary')
  }

  if (!record) return []
  const changes: [string, unknown][] = []
  for (const { value } of record.fields.get('status') ?? []) {
    const to = findState(record.kind, value)?.on?.[action]?.to
    if (to !== undefined) changes.push(['status', to])
  }
  return changes
}

/** Whether a request may pay a charge, since its code or that of the charge is not known. */
function mayPay(
  { operation, outcome, sent, unknown }: Exchange,
  { kind, fields }: Pick<KnownRecord, 'kind' | 'fields'>,
): boolean {
  const isPayment = operation?.id === 'createTransfer' && outcome !== 'refused'
  const isCharge = kind.resource.operations.cancel !== undefined
  const paysKey = stringAt(sent, '/type') === 'dict'
  if (!isPayment || !isCharge || paysKey) return false

  const isCodeUnknown = unknown.sent.includes('') || unknown.sent.includes('/emv')
  return isCodeUnknown || !fields.has('emv')
}

/** The names of the fields of a record that a response shows, and that are not known. */
function unknownNames({ unknown }: Exchange, { at }: ShownRecord): string[] {
  const inside = unknown.shown.filter((pointer) => pointer.startsWith(`${at}/`))
  return inside.map((pointer) => fieldName(pointer.slice(at.length)))
}

function withoutFields(
  fields: KnownRecord['fields'],
  names: readonly string[],
): KnownRecord['fields'] {
  if (names.length === 0) return fields
  return new Map([...fields].filter(([name]) => !names.includes(name)))
}

/** The names of the fields of a record that a request may change to what is not known. */
function unknownFields({ unknown: { sent } }: Exchange, fields: KnownRecord['fields']): string[] {
  if (sent.includes('')) return [...fields.keys()]
  return sent.map(fieldName)
}

/** Whether all of a creation is known, so that later responses can be compared with it. */
function isAllKnown({ unknown: { sent, target, times } }: Exchange): boolean {
  return sent.length === 0 && !target && !times
}

/** A discount by date (modality 1 and 2) has amounts with its dates, and shows no other. */
function withoutUnused(sent: unknown): unknown {
  const discount = fieldsOf(valueAt(sent, '/amount/discount'))
  const isByDate = discount.modality === '1' || discount.modality === '2'
  if (!isByDate) return sent
  return withValue(sent, '/amount/discount', { ...discount, amount: undefined })
}

/** The states that the service moves a record to by itself. */
export function ownTransitions(kind: Kind, allowed: readonly Allowed[]): unknown[] {
  const states: unknown[] = []
  for (const { value } of allowed)
    for (const { by, to } of Object.values(findState(kind, value)?.on ?? {}))
      if (by === 'service') states.push(to)
  return states
}

/** Whether a write to a record is on its way at the same time. */
export function isBeside(
  { beside }: Pick<Exchange, 'beside'>,
  { id, fields }: KnownRecord,
): boolean {
  const codes = fields.get('emv') ?? []
  return beside.some(({ request }) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead) return false
    return (
      request.path.includes(id) || codes.some(({ value }) => mayContain(request, String(value)))
    )
  })
}

/** Whether a record of a kind may be created by a request that is on its way at the same time. */
export function isCreationBeside(
  { beside }: Pick<Exchange, 'beside'>,
  { resource }: Kind,
  contract: Contract,
): boolean {
  return beside.some(({ request: { method, path } }) => {
    const [withoutQuery = ''] = path.split('?', 1)
    const operation = contract.find(method, withoutQuery)?.operation.id
    const isUnknown = operation === undefined && method === 'POST'
    return isUnknown || (operation !== undefined && operation === resource.operations.create)
  })
}

function ownerOf({ resource: { owner } }: Kind, by: Identity | undefined): Identity | undefined {
  const isOfPartner = owner === 'partner'
  return by && isOfPartner ? { partner: by.partner } : by
}

/** Whether an identity owns a record; undefined if one of them is not known. */
export function owns(by: Identity | undefined, { kind, owner }: KnownRecord): boolean | undefined {
  const identity = ownerOf(kind, by)
  if (!identity || !owner) return undefined
  return nameOf(identity) === nameOf(owner)
}

/** Whether a request is an action that is declared to leave the state of its record as it is. */
export function isWithoutEffect(exchange: Exchange, record: KnownRecord): boolean {
  const state = sureValue(record, 'status')
  const action = findAction(record.kind, exchange.operation?.id) ?? ''
  return state !== undefined && findState(record.kind, state)?.on?.[action]?.to === state
}

/** The one value that a field shows; undefined if it may show several. */
export function sureValue({ fields }: KnownRecord, name: string): unknown {
  const allowed = fields.get(name) ?? []
  return allowed.length === 1 ? allowed[0]?.value : undefined
}
