import { leavesOf, stringAt } from '../contract/json.ts'
import {
  findAction,
  findActionOrPayment,
  findKind,
  isEndingAction,
  type Kind,
  type ShownRecord,
} from '../contract/kinds.ts'
import type { ServiceForm } from '../form/service-form.ts'
import { Bounded } from './bounded.ts'
import { identifyCode } from './code-identity.ts'
import { type Exchange, findIdInPath, type Trace, withoutResponse } from './exchange.ts'
import {
  fieldsAfterSight,
  fieldsAfterWrite,
  mayBePaid,
  mayPay,
  readPayment,
  withoutUnknownFields,
} from './record-fields.ts'
import {
  hasChanged,
  hasConcurrentWrite,
  isWithoutEffect,
  type KnownRecord,
  ownerOf,
} from './records.ts'

const MAX_RECORDS = 10_000

/** A record whose fields the next exchanges may change. */
type ChangingRecord = { -readonly [name in keyof KnownRecord]: KnownRecord[name] }

/** The records that the history has shown, and what each of them may show next. */
export class Records {
  /** By kind and id. */
  readonly #byId = new Bounded<string, ChangingRecord>(MAX_RECORDS)
  /** By what their payment code pays. */
  readonly #byCode = new Bounded<string, ChangingRecord[]>(MAX_RECORDS)
  /** The charges that a payment of an unknown code may have paid since they were last shown. */
  readonly #perhapsPaid = new WeakSet<ChangingRecord>()
  /** The last accepted write to a record of each kind. */
  readonly #lastWrites = new Map<Kind, Trace>()
  /**
   * The ids in accepted responses that show no record, such as those of paths that the contract
   * does not have.
   */
  readonly #idsOfUnknownKind = new Bounded<string, true>(MAX_RECORDS)
  readonly #lagMs: number

  /** @param lagMs Milliseconds by which a list may lag behind a write. */
  constructor(lagMs: number) {
    this.#lagMs = lagMs
  }

  get forgotten(): number {
    return this.#byId.forgotten
  }

  find({ name }: Pick<Kind, 'name'>, id: string): ChangingRecord | undefined {
    return this.#byId.get(`${name} ${id}`)
  }

  /** Whether an accepted response has shown an id, whatever it responded to. */
  isShown(kind: Pick<Kind, 'name'>, id: string): boolean {
    return this.find(kind, id) !== undefined || this.#idsOfUnknownKind.has(id)
  }

  /** Records with this payment code. */
  findByCode(emv: unknown): readonly KnownRecord[] {
    return typeof emv === 'string' ? (this.#byCode.get(identifyCode(emv)) ?? []) : []
  }

  /** All records of a kind. */
  listOfKind({ name }: Pick<Kind, 'name'>): readonly KnownRecord[] {
    return [...this.#byId.values()].filter(({ kind }) => kind.name === name)
  }

  /** The records that a request names: by its path, or by a payment code in its body. */
  findNamed(exchange: Exchange): ChangingRecord[] {
    const { operation, requestBody } = exchange
    const kind = findKind(operation?.id)
    const id = findIdInPath(exchange)
    const records: ChangingRecord[] = []

    const byPath = kind && id !== undefined ? this.find(kind, id) : undefined
    if (byPath) records.push(byPath)

    if (operation?.id === 'createTransfer') {
      const emv = stringAt(requestBody, '/emv')
      const byCode = emv === undefined ? undefined : this.#byCode.get(identifyCode(emv))
      records.push(...(byCode ?? []))
    }

    return records
  }

  /** The last accepted write to any record of a kind. */
  lastWrite(kind: Kind): Trace | undefined {
    return this.#lastWrites.get(kind)
  }

  /** Whether a write to a record is so new that a list may lag behind it. */
  isRecent(
    { changedAt }: Pick<KnownRecord, 'changedAt'>,
    { sentAt }: Pick<Exchange, 'sentAt'>,
  ): boolean {
    return sentAt - changedAt < this.#lagMs
  }

  /**
   * The values that each field of a record may show in the response to a request: those after the write,
   * if the request may change the record, else those that were known before.
   */
  findExpectedFields(
    exchange: Exchange,
    { kind, id }: Pick<ShownRecord, 'kind' | 'id'>,
  ): KnownRecord['fields'] {
    const record = this.find(kind, id)
    const isCreation = findActionOrPayment(kind, exchange.operation?.id) === 'create'
    const isNamed = record !== undefined && this.findNamed(exchange).includes(record)
    const isPerhapsPaid = record !== undefined && mayPay(exchange, record)
    const mayChange = isCreation || isNamed || isPerhapsPaid
    if (!mayChange || exchange.outcome === 'refused') return new Map(record?.fields)

    return fieldsAfterWrite(exchange, kind, record)
  }

  /**
   * Translates the known statuses of all records again, once another word of the service is known, such as
   * `PAID` for `CONCLUIDA`.
   */
  rereadStates(form: ServiceForm): void {
    for (const record of this.#byId.values()) {
      const states = record.fields.get('status') ?? []
      if (states.length === 0) continue

      const statesInContract = states.map((state) =>
        typeof state.value === 'string'
          ? {
              ...state,
              value: form.toContractWord({ ...record, field: 'status', word: state.value }),
            }
          : state,
      )
      record.fields = new Map(record.fields).set('status', statesInContract)
    }
  }

  /** Takes in the next exchange: remembers what it changes of records, and what it shows of them. */
  fold(exchange: Exchange): void {
    const { outcome, operation, trace } = exchange
    const kind = findKind(operation?.id)
    const isRead = operation?.effect === 'read'
    if (kind && outcome === 'accepted' && !isRead) this.#lastWrites.set(kind, trace)

    for (const record of this.findNamed(exchange)) {
      record.lastNamed = trace
      record.wasFound ||= outcome === 'accepted'
      if (!isRead && outcome !== 'refused') this.#foldWrite(record, exchange)
    }

    if (operation?.id === 'createTransfer') this.#foldPaymentOfUnknownCode(exchange)
    for (const shownRecord of exchange.records) this.#foldShown(exchange, shownRecord)

    // The records may stand at a place that the contract does not declare.
    const showsNoRecord = outcome === 'accepted' && exchange.records.length === 0
    if (showsNoRecord) this.#rememberIds(exchange.responseBody)
  }

  /**
   * A transfer may change every charge that it may pay: if its code or that of the charge is not known,
   * nothing shows which one it pays.
   */
  #foldPaymentOfUnknownCode(exchange: Exchange): void {
    const payment = readPayment(exchange)
    if (!payment) return

    const named = this.findNamed(exchange)
    for (const record of this.#byId.values()) {
      if (!mayBePaid(record, payment) || named.includes(record)) continue

      // Another payment changes nothing of it but the time.
      if (this.#perhapsPaid.has(record)) record.changedAt = exchange.completeAt
      else this.#foldWrite(record, exchange)
      this.#perhapsPaid.add(record)
    }
  }

  /**
   * Changes what is known of a record by a write about it: when it changed, whether it is gone, and what
   * its fields may show. The write was accepted, or its outcome is unknown.
   */
  #foldWrite(record: ChangingRecord, exchange: Exchange): void {
    this.#perhapsPaid.delete(record)
    const hasEffect = !isWithoutEffect(exchange, record)
    if (hasEffect) record.changedAt = exchange.completeAt

    const action = findAction(record.kind, exchange.operation?.id)
    if (isEndingAction(record.kind, action))
      record.presence = exchange.outcome === 'accepted' ? 'gone' : 'unknown'

    record.fields = this.findExpectedFields(exchange, record)
  }

  /** Remembers all ids of a response that shows no record. */
  #rememberIds(shown: unknown): void {
    const ids = leavesOf(shown, '', (_, name) => name === 'id')
    for (const [, id] of ids) this.#idsOfUnknownKind.set(String(id), true)
  }

  /**
   * Adds a record that a response shows for the first time. Only the response to its creation also says
   * how and when it was created.
   */
  #add(exchange: Exchange, { kind, id }: ShownRecord): ChangingRecord {
    const isCreated = findAction(kind, exchange.operation?.id) === 'create'
    const record: ChangingRecord = {
      kind,
      id,
      owner: ownerOf(kind, exchange.identity),
      created: isCreated && isWholeCreationKnown(exchange) ? withoutResponse(exchange) : undefined,
      fields: new Map(),
      presence: 'there',
      wasFound: false,
      lastNamed: exchange.trace,
      // Of a record that was there before, no change is recent.
      changedAt: isCreated ? exchange.completeAt : 0,
    }
    this.#byId.set(`${kind.name} ${id}`, record)
    return record
  }

  /**
   * Remembers the fields of a record as a response shows them. While another write to the record is on its
   * way, the shown values prove nothing, and those that were expected stay.
   */
  #foldShown(exchange: Exchange, shown: ShownRecord): void {
    const expected = this.findExpectedFields(exchange, shown)
    const record = this.find(shown.kind, shown.id) ?? this.#add(exchange, shown)
    this.#perhapsPaid.delete(record)
    // How a deleted record is shown is compared with what it was.
    if (record.presence === 'gone') return

    // A read soon after a write may still show the record as it was before.
    const isRead = exchange.operation?.effect === 'read'
    const mayLag = isRead && hasChanged(record) && this.isRecent(record, exchange)
    const fields = hasConcurrentWrite(exchange, record)
      ? expected
      : fieldsAfterSight({ expected, shown, mayLag, by: exchange.trace })
    record.fields = withoutUnknownFields(fields, exchange, shown)
    this.#rememberCode(record, shown.fields.emv)
  }

  #rememberCode(record: ChangingRecord, emv: unknown): void {
    if (typeof emv !== 'string') return
    const identity = identifyCode(emv)
    const records = this.#byCode.get(identity) ?? []
    if (!records.includes(record)) this.#byCode.set(identity, [...records, record])
  }
}

/** Whether all of a creation is known, so that later responses can be compared with it. */
function isWholeCreationKnown({ unknown: { requestBody, target, times } }: Exchange): boolean {
  return requestBody.length === 0 && !target && !times
}
