import type { Contract, Operation } from '../contract/contract.ts'
import { stringAt, timeAt, valueAt } from '../contract/json.ts'
import {
  ENDS,
  isGone,
  isSafe,
  nameRecordOf,
  showsNewRecord,
  type Target,
  UNREADABLE,
} from './guard.ts'
import {
  findOperation,
  type Input,
  type Outcome,
  pathOf,
  provesRefusal,
  type Sender,
} from './requests.ts'

/** So many records are ended at the same time. */
const MAX_CONCURRENT_ENDS = 8
/** After so many consecutive ends without a response, the rest is left. */
const MAX_ENDS_WITHOUT_RESPONSE = 16
/** After so many ends with a 404 or 409, a record is tried again only when the service can no longer lag. */
const MAX_MISSES = 2
/** Milliseconds by which the clock of the service may differ from that of this machine. */
const CLOCK_MARGIN_MS = 5_000

/** A record that the run has created, and has to end. */
export interface Created {
  /** The operation that ends it. */
  readonly end: Operation
  readonly path: Readonly<Record<string, string>>
  readonly by: Sender
  /** Whether the response to the creation proves that the id is that of the record, and no change showed another one. */
  readonly isIdProven: boolean
  /** Its payment code; undefined if it has none. */
  readonly emv: string | undefined
  /** When its code expires, in milliseconds since 1970, as the creation showed it; undefined if that showed no end. */
  readonly expiresAt: number | undefined
}

/** Sends the request that ends a record. */
export type EndRecord = (record: Created) => Promise<Outcome>

/**
 * What a run has left on the service: the records that it has created and not ended, and what nothing
 * can end, such as transfers. `endAll` ends the records.
 */
export class CreatedRecords {
  readonly #contract: Contract
  readonly #target: Target
  /** The records that the run has created and not ended, by their kinds and ids (`nameRecordOf`). */
  readonly #records = new Map<string, Created>()
  /** What stays on the service and cannot be ended, as a path or in words. */
  readonly #leftovers: string[] = []
  /** The records that were there before, and that the service returned to a creation, in words. */
  readonly #returnedRecords = new Set<string>()
  /** The payment codes that the run may have paid. */
  readonly #paidCodes = new Set<string>()
  /** How often a creation on a live service may have made a record that it did not show, by path and response in words. */
  readonly #lostCreations = new Map<string, number>()
  /** How many ends of a record got a 404 or 409: on a service that lags, a later end may succeed. */
  readonly #missesByRecord = new Map<string, number>()

  constructor(contract: Contract, target: Target) {
    this.#contract = contract
    this.#target = target
  }

  /**
   * Remembers the record that an accepted request created, so that the run can delete or cancel it at its end
   * (`ENDS`). Forgets the record that a request of a plan has ended (`ENDINGS`).
   *
   * @param id The operationId of the request.
   */
  track(id: string, { by, path = {}, body }: Input, { json, status }: Outcome): void {
    const operation = findOperation(this.#contract, id)
    if (!operation) return
    if (ENDINGS.has(id)) {
      for (const endedId of Object.values(path))
        this.#records.delete(nameRecordOf(operation, endedId))
    }

    const shownId = stringAt(json, '/id')
    if (shownId === undefined) return
    for (const changedId of Object.values(path)) {
      if (changedId !== shownId) this.#noteOtherId(nameRecordOf(operation, changedId))
    }

    const end = this.#findEnd(id)
    if (!end) return

    // The name of the id in a path such as `/partner/webhook/{webhook_id}`.
    const [parameter = 'id'] = /(?<=\{)\w+/.exec(end.path) ?? []
    this.#records.set(nameRecordOf(operation, shownId), {
      end,
      path: { [parameter]: shownId },
      // After a 202, the record may be created later, with another id (RFC 9110, section 15.3.3).
      isIdProven: status !== 202 && showsNewRecord(body, json),
      emv: stringAt(json, '/emv'),
      expiresAt: readExpirationTime(json),
      // Other authorization headers may be invalid by the end of the run.
      by: typeof by === 'string' ? by : 'partner',
    })
  }

  /** Notes that the response to a change of a record showed another id, so that it may be there under that one. */
  #noteOtherId(name: string): void {
    const record = this.#records.get(name)
    if (record) this.#records.set(name, { ...record, isIdProven: false })
  }

  /** Finds the operation that ends what another one creates. Undefined if nothing has to be ended. */
  #findEnd(creation: string): Operation | undefined {
    const end = ENDS[creation]
    if (end === undefined) return undefined
    // A sandbox lists cancelled QR codes like open ones, so cancelling them would clean nothing up.
    const isCode = creation !== 'createWebhook'
    if (this.#target === 'sandbox' && isCode) return undefined
    return findOperation(this.#contract, end)
  }

  /**
   * Remembers what a request leaves on a live service that the run cannot remove: a transfer that was made, or may
   * have been, or a record that may have been created. The result lists it.
   */
  noteLiveEffect(
    operation: Operation,
    { body, method = operation.method }: Pick<Input, 'body' | 'method'>,
    outcome: Outcome,
  ): void {
    // Nobody can carry these out, whatever the response is.
    if (body === UNREADABLE || isSafe({ method })) return

    // The outcome of a request that was kept back has the time 0.
    const wasSent = outcome.sentAt > 0
    if (!wasSent) return

    const { path } = operation
    const id = stringAt(outcome.json, '/id')
    const mayHavePaid = operation.id === 'createTransfer' && !provesRefusal(outcome)
    if (mayHavePaid) {
      this.#leftovers.push(`${path}: ${describeTransfer(body, id, outcome)}`)
      const emv = stringAt(body, '/emv')
      if (emv !== undefined) this.#paidCodes.add(emv)
    }

    const createsRecord = ENDS[operation.id] !== undefined
    const isKnown = outcome.isAccepted ? id !== undefined : provesRefusal(outcome)
    if (createsRecord && !isKnown) {
      const lost = `${path}: a creation got ${describeResponse(outcome)}`
      this.#lostCreations.set(lost, (this.#lostCreations.get(lost) ?? 0) + 1)
    }
  }

  /**
   * Remembers a record that was there before, and that the service returned to a creation: it may have taken the values
   * of the request, such as another URL.
   */
  noteReturned({ path }: Operation, { json }: Outcome): void {
    const id = stringAt(json, '/id')
    this.#returnedRecords.add(
      `${path}: record ${id}, which was there before and may have been changed`,
    )
  }

  /**
   * Deletes or cancels the records that the run has created. Returns what is still left on the service, as paths; a
   * second call tries those again that were not refused for good.
   *
   * @param endRecord Sends the request that ends a record.
   * @param waitForLag Waits until a service that lags must find all records: what it does not find then is gone, if its
   *   id is proven. Default: what is not found is kept.
   */
  async endAll(
    endRecord: EndRecord,
    waitForLag?: () => Promise<unknown>,
  ): Promise<readonly string[]> {
    await this.#endRecords(endRecord, { isAfterLag: false })
    const isAnyMissing = [...this.#records.keys()].some((name) => this.#countMisses(name) > 0)
    if (waitForLag && isAnyMissing) {
      await waitForLag()
      await this.#endRecords(endRecord, { isAfterLag: true })
    }

    const stillLeft = [...this.#records.values()].map((record) => pathOf(record.end, record))
    const lost = [...this.#lostCreations].map(describeLostCreation)
    return [...this.#leftovers, ...this.#returnedRecords, ...lost, ...stillLeft]
  }

  /** How many ends of a record got a 404 or 409. */
  #countMisses(name: string): number {
    return this.#missesByRecord.get(name) ?? 0
  }

  /** Ends the records that are not ended, newest first and several at once. */
  async #endRecords(
    endRecord: EndRecord,
    { isAfterLag }: { readonly isAfterLag: boolean },
  ): Promise<void> {
    const newestFirst = [...this.#records].reverse()
    const records = newestFirst.values()
    let endsWithoutResponse = 0

    // Eight of these run at once. All take from one iterator, so that each record is ended once.
    const endNextRecords = async (): Promise<void> => {
      for (const [name, record] of records) {
        // A service that has stopped responding is asked no more.
        if (endsWithoutResponse >= MAX_ENDS_WITHOUT_RESPONSE) return
        const mustWaitForLag = !isAfterLag && this.#countMisses(name) >= MAX_MISSES
        if (mustWaitForLag) continue

        const { status, sentAt } = await endRecord(record)
        // A request that was kept back says nothing about the service.
        const wasSent = sentAt > 0
        if (!wasSent) continue
        endsWithoutResponse = status === 0 ? endsWithoutResponse + 1 : 0
        this.#noteEnd(name, record, { status, sentAt, isAfterLag })
      }
    }

    await Promise.all(Array.from({ length: MAX_CONCURRENT_ENDS }, endNextRecords))
  }

  /**
   * Notes the response to the request that ends a record. The record is forgotten if it is gone, or if the service
   * has refused to end it, and is then left over. Otherwise it is kept for another try.
   */
  #noteEnd(name: string, record: Created, { status, sentAt, isAfterLag }: End): void {
    // No response, a rate limit or an error of the service: the record may still be there.
    if (status === 0 || status === 429 || status >= 500) return

    // A service that lags may return 404 for a new record, or 409 while it still works on it.
    const needsNoEnd = this.#isPaid(record) || hasExpired(record, sentAt)
    const mayBeEndedLater = status === 404 || (status === 409 && !needsNoEnd)
    if (mayBeEndedLater && !isAfterLag) {
      this.#missesByRecord.set(name, this.#countMisses(name) + 1)
      return
    }

    this.#records.delete(name)
    const isEnded = hasEnded(record, status) || (status === 409 && needsNoEnd)
    if (!isEnded) this.#leftovers.push(pathOf(record.end, record))
  }

  /** Whether the run may have paid a code, which nobody can cancel then. */
  #isPaid({ emv }: Created): boolean {
    return emv !== undefined && this.#paidCodes.has(emv)
  }
}

/** The response to a request that ends a record. */
interface End {
  readonly status: number
  /** When the request was sent, in milliseconds since 1970. */
  readonly sentAt: number
  /** Whether a service that lags must find all records. */
  readonly isAfterLag: boolean
}

/** Whether the response to the request that ends a record shows that it has ended. */
function hasEnded({ isIdProven }: Created, status: number): boolean {
  // Without proof that the id is that of the record, the record may be there under another one.
  if (status === 404) return isIdProven
  return isGone(status)
}

/** Whether the code of a record has certainly expired, so that nobody can pay it. */
function hasExpired({ expiresAt }: Created, time: number): boolean {
  return expiresAt !== undefined && time > expiresAt + CLOCK_MARGIN_MS
}

/**
 * Reads when the code of a created record expires, in milliseconds since 1970: its creation and the seconds of its
 * calendar. Undefined if the response does not show both.
 */
function readExpirationTime(shown: unknown): number | undefined {
  const createdAt = timeAt(shown, '/created_at')
  const seconds = valueAt(shown, '/calendar/expiration')
  if (createdAt === undefined || typeof seconds !== 'number') return undefined
  return createdAt + seconds * 1000
}

/**
 * Writes what the result says of a transfer: `transfer 7 of 1.00, with payment_date 2026-11-30`. If nobody knows whether it
 * was made: `transfer of 1.00, which got status 502 and may have been made`.
 */
function describeTransfer(body: unknown, id: string | undefined, outcome: Outcome): string {
  const transfer = id === undefined ? 'transfer' : `transfer ${id}`
  const date = stringAt(body, '/payment_date')
  const dated = date === undefined ? '' : `, with payment_date ${date}`
  const isUnknown = !outcome.isAccepted
  const unknown = isUnknown ? `, which got ${describeResponse(outcome)} and may have been made` : ''
  return `${transfer} of ${stringAt(body, '/amount')}${dated}${unknown}`
}

/** Writes what a request got, for a message: `no response`, `status 502` or `status 201 without an id`. */
function describeResponse({ status, isAccepted }: Outcome): string {
  if (status === 0) return 'no response'
  return isAccepted ? `status ${status} without an id` : `status ${status}`
}

/** Writes what the result says of creations whose record is not known. */
function describeLostCreation([lost, count]: readonly [lost: string, count: number]): string {
  const times = count === 1 ? 'once' : `${count} times`
  return `${lost} ${times}, and may have succeeded`
}

/** The operations that end a record. */
const ENDINGS: ReadonlySet<string> = new Set(Object.values(ENDS))
