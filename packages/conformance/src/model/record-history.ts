import { leavesOf, stringAt, valueAt } from '../contract/json.ts'
import {
  findAction,
  findKind,
  isEndingAction,
  type Kind,
  nameRecord,
  type ShownRecord,
} from '../contract/kinds.ts'
import type { ServiceForm } from '../form/service-form.ts'
import { Bounded } from './bounded.ts'
import { identifyCode } from './code-identity.ts'
import { type Exchange, findIdInPath, type Trace, withoutResponse } from './exchange.ts'
import {
  fieldsAfterLook,
  fieldsAfterPayment,
  fieldsAfterWrite,
  groupUnknownFields,
  mayPayUnseen,
  readPayment,
  withoutFields,
} from './record-fields.ts'
import {
  hasChanged,
  hasConcurrentWrite,
  isWithoutEffect,
  type KnownRecord,
  ownerOf,
  type PossibleValue,
} from './records.ts'

const MAX_RECORDS = 10_000
/** A right service has one record of a code. Of thousands, each payment of the code would be compared with all. */
const MAX_RECORDS_OF_CODE = 100

/** Payments that are remembered by their codes. */
const MAX_PAYMENTS = 5_000
/** Characters of such a code: a real one has at most 512. */
const MAX_PAID_CODE_LENGTH = 1_000

/** A record whose fields the next exchanges may change. */
type ChangingRecord = { -readonly [name in keyof KnownRecord]: KnownRecord[name] }

/** The records that the history has shown, and what each of them may show next. */
export class Records {
  /** By kind and id. */
  readonly #byId = new Bounded<string, ChangingRecord>(MAX_RECORDS)
  /** By what their payment code pays. */
  readonly #byCode = new Bounded<string, ChangingRecord[]>(MAX_RECORDS)
  /** The charges that a payment of an unknown code may have paid since they were last shown or changed. */
  readonly #perhapsPaid = new WeakSet<ChangingRecord>()
  /** The last payment of each code that was not refused, by what the code pays. */
  readonly #payments = new Bounded<string, Trace>(MAX_PAYMENTS)
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

  find(kind: Pick<Kind, 'name'>, id: string): ChangingRecord | undefined {
    return this.#byId.get(nameRecord({ kind, id }))
  }

  /** Whether an accepted response has shown an id, whatever it responded to. */
  isShown(kind: Pick<Kind, 'name'>, id: string): boolean {
    return this.find(kind, id) !== undefined || this.#idsOfUnknownKind.has(id)
  }

  /** Records with this payment code; none if it is no text. */
  findByCode(emv: unknown): readonly ChangingRecord[] {
    if (typeof emv !== 'string') return []
    return this.#byCode.get(identifyCode(emv)) ?? []
  }

  /**
   * Finds the record that an accepted request has created as another kind, with the id and the payment code of a shown
   * one. The id alone is not enough, since each kind may count from 1.
   */
  findOfOtherKind({ kind, id, fields }: ShownRecord): KnownRecord | undefined {
    return this.findByCode(fields.emv).find((record) => {
      const isOfOtherKind = record.kind.name !== kind.name
      return record.id === id && isOfOtherKind && record.created !== undefined
    })
  }

  /** All records of a kind. */
  listOfKind({ name }: Pick<Kind, 'name'>): readonly KnownRecord[] {
    return [...this.#byId.values()].filter(({ kind }) => kind.name === name)
  }

  /**
   * The records that a request names: the one whose id is in its path, or the charge whose code a transfer pays.
   * Only those that the history has shown; mostly one, or none.
   */
  findNamed(exchange: Exchange): readonly ChangingRecord[] {
    const { operation, requestBody } = exchange
    if (operation?.id === 'createTransfer') return this.findByCode(valueAt(requestBody, '/emv'))

    const record = this.findInPath(exchange)
    return record ? [record] : []
  }

  /** The record whose id is in the path of a request, such as `/webhooks/wh_1`. Undefined if the history shows none. */
  findInPath(exchange: Exchange): ChangingRecord | undefined {
    const kind = findKind(exchange.operation?.id)
    const id = findIdInPath(exchange)
    if (!kind || id === undefined) return undefined
    return this.find(kind, id)
  }

  /** The last accepted write to any record of a kind. */
  lastWrite(kind: Kind): Trace | undefined {
    return this.#lastWrites.get(kind)
  }

  /** Whether the last write to a record is so new that a list may not show it yet: by default, five seconds. */
  isRecent(
    { changedAt }: Pick<KnownRecord, 'changedAt'>,
    { sentAt }: Pick<Exchange, 'sentAt'>,
  ): boolean {
    return sentAt - changedAt < this.#lagMs
  }

  /**
   * The values that each field of a record may show in the response to a request: those after the write,
   * if the request may change the record, else those that were known before. Such as `'status' => [{ value: 'ATIVA' }]`;
   * a field without an entry may show anything.
   */
  findExpectedFields(
    exchange: Exchange,
    { kind, id }: Pick<ShownRecord, 'kind' | 'id'>,
  ): KnownRecord['fields'] {
    const record = this.find(kind, id)
    const isCreation = findAction(kind, exchange.operation?.id) === 'create'
    const mayChange = isCreation || (record !== undefined && this.#mayChange(exchange, record))
    if (!mayChange || exchange.outcome === 'refused') return new Map(record?.fields)

    return fieldsAfterWrite(exchange, kind, record)
  }

  /** Whether a request may change a record: it names the record, or may pay it by an unknown code. */
  #mayChange(exchange: Exchange, record: ChangingRecord): boolean {
    const isNamed = this.findNamed(exchange).includes(record)
    return isNamed || mayPayUnseen(readPayment(exchange), record)
  }

  /**
   * Translates the known statuses of all records again, once another word of the service is known, such as
   * `PAID` for `CONCLUIDA`.
   */
  rereadStates(form: ServiceForm): void {
    for (const record of this.#byId.values()) {
      const states = record.fields.get('status')
      if (!states) continue

      const translated = states.map((state) => translateStatus(state, record.kind, form))
      record.fields = new Map(record.fields).set('status', translated)
    }
  }

  /** Takes in the next exchange: remembers what it changes of records, then what it shows of them. */
  fold(exchange: Exchange): void {
    const { operation, outcome, records } = exchange
    const isRead = operation?.effect === 'read'

    for (const record of this.findNamed(exchange)) this.#rememberNamed(record, exchange)
    if (!isRead && outcome !== 'refused') this.#rememberWrites(exchange)
    const unknownFields = groupUnknownFields(exchange)
    for (const record of records)
      this.#rememberShown(exchange, record, unknownFields.get(record.at) ?? [])

    // A response without declared records may show ids at other places, which the service then knows.
    if (outcome === 'accepted' && records.length === 0) this.#rememberIds(exchange.responseBody)
  }

  /** Remembers that a request names a record, and whether the service found it. */
  #rememberNamed(record: ChangingRecord, { outcome, trace }: Exchange): void {
    record.lastNamed = trace
    if (outcome === 'accepted') record.wasFound = true
  }

  /** Changes what is known of all records that a write may change: those that it names, and those that it may pay. */
  #rememberWrites(exchange: Exchange): void {
    const { operation, outcome, trace } = exchange
    const kind = findKind(operation?.id)
    if (kind && outcome === 'accepted') this.#lastWrites.set(kind, trace)

    for (const record of this.findNamed(exchange)) this.#rememberWrite(record, exchange)
    this.#rememberPayment(exchange)
    this.#rememberUnseenPayment(exchange)
  }

  /** Remembers the payment of a code, of which no response may have shown the charge yet. */
  #rememberPayment({ operation, requestBody, trace }: Exchange): void {
    const emv = stringAt(requestBody, '/emv')
    const isPayment = operation?.id === 'createTransfer' && emv !== undefined
    if (isPayment && emv.length <= MAX_PAID_CODE_LENGTH)
      this.#payments.set(identifyCode(emv), trace)
  }

  /**
   * Changes what is known of every charge that a transfer may pay without naming it: a recorder may have left out the
   * code of the transfer, or that of the charge. Each such charge may then be paid.
   */
  #rememberUnseenPayment(exchange: Exchange): void {
    const payment = readPayment(exchange)
    if (payment === 'none') return

    const named = this.findNamed(exchange)
    for (const record of this.#byId.values()) {
      const isNamed = named.includes(record)
      if (!isNamed && mayPayUnseen(payment, record)) this.#rememberPossiblePayment(record, exchange)
    }
  }

  /** Changes what is known of a charge that a transfer may pay: from now on it may be `ATIVA` or `CONCLUIDA`. */
  #rememberPossiblePayment(record: ChangingRecord, exchange: Exchange): void {
    // An earlier transfer may have paid it too, so that both states are possible already.
    if (this.#perhapsPaid.has(record)) {
      record.changedAt = exchange.completeAt
      return
    }

    this.#rememberWrite(record, exchange)
    this.#perhapsPaid.add(record)
  }

  /** Changes what is known of a record after a write that was not refused: its fields, and whether it is still there. */
  #rememberWrite(record: ChangingRecord, exchange: Exchange): void {
    this.#perhapsPaid.delete(record)
    // A second cancellation has no effect.
    const hasEffect = !isWithoutEffect(exchange, record)
    if (hasEffect) record.changedAt = exchange.completeAt

    // Such as a deletion, after which no response shows the record.
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
    const isCreation = findAction(kind, exchange.operation?.id) === 'create'
    const isCreationKnown = isCreation && isWholeRequestKnown(exchange)
    const record: ChangingRecord = {
      kind,
      id,
      owner: ownerOf(kind, exchange.identity),
      created: isCreationKnown ? withoutResponse(exchange) : undefined,
      fields: new Map(),
      presence: 'there',
      wasFound: false,
      lastNamed: exchange.trace,
      // Of a record that was there before, no change is recent.
      changedAt: isCreation ? exchange.completeAt : 0,
    }
    this.#byId.set(nameRecord(record), record)
    return record
  }

  /**
   * Remembers the fields of a record as a response shows them. Adds a record that is shown for the first time. A
   * deleted one stays as it was.
   *
   * @param shown The record in the response.
   * @param unknownFields The names of the fields whose values there are not known.
   */
  #rememberShown(exchange: Exchange, shown: ShownRecord, unknownFields: readonly string[]): void {
    const expectedFields = this.findExpectedFields(exchange, shown)
    const record = this.find(shown.kind, shown.id) ?? this.#add(exchange, shown)
    this.#perhapsPaid.delete(record)
    // Rules compare how a deleted record is shown with what it was, so that this stays.
    if (record.presence === 'gone') return

    const mayLag = this.#mayLag(exchange, record)
    // While another write to the record is on its way, the shown values prove nothing.
    const newFields = hasConcurrentWrite(exchange, record)
      ? expectedFields
      : fieldsAfterLook({ expected: expectedFields, shown, mayLag, by: exchange.trace })
    record.fields = withoutFields(newFields, unknownFields)
    this.#rememberCode(record, shown.fields.emv)

    const wasStatusKnown = expectedFields.has('status')
    if (!wasStatusKnown) this.#rememberEarlierPayment(record, shown.fields.emv)
  }

  /**
   * Changes what is known of a charge whose status is shown for the first time, if its code was paid before: the
   * payment may have its effect later, when it settles.
   */
  #rememberEarlierPayment(record: ChangingRecord, emv: unknown): void {
    const payment = typeof emv === 'string' ? this.#payments.get(identifyCode(emv)) : undefined
    if (payment) record.fields = fieldsAfterPayment(record, payment)
  }

  /** Whether a read is so soon after a write that it may show the record as it was before. */
  #mayLag(exchange: Exchange, record: ChangingRecord): boolean {
    const isRead = exchange.operation?.effect === 'read'
    return isRead && hasChanged(record) && this.isRecent(record, exchange)
  }

  #rememberCode(record: ChangingRecord, emv: unknown): void {
    const records = this.findByCode(emv)
    const isFull = records.length === MAX_RECORDS_OF_CODE
    if (typeof emv !== 'string' || isFull || records.includes(record)) return
    this.#byCode.set(identifyCode(emv), [...records, record])
  }
}

/** A status with the service's own word for it replaced by that of the contract. */
function translateStatus(status: PossibleValue, kind: Kind, form: ServiceForm): PossibleValue {
  const { value: word } = status
  if (typeof word !== 'string') return status
  return { ...status, value: form.toContractWord({ kind, field: 'status', word }) }
}

/** Whether all of a request is known, so that later responses can be compared with it. */
function isWholeRequestKnown({ unknown: { requestBody, target, times } }: Exchange): boolean {
  return requestBody.length === 0 && !target && !times
}
