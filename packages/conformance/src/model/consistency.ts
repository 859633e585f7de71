import { findDeclaredList } from '../contract/behaviour.ts'
import { fieldsOf, isFilled, isSameValue, type Json, stringAt, timeAt } from '../contract/json.ts'
import {
  findAction,
  findKind,
  isCharge,
  type NamedRecord,
  nameRecord,
  type ShownRecord,
} from '../contract/kinds.ts'
import { REJECTED } from '../contract/words.ts'
import { readSentAmount } from './amounts.ts'
import { Bounded } from './bounded.ts'
import { decodeStaticCode, findLocation } from './code-identity.ts'
import {
  type Exchange,
  findIdInPath,
  type Identity,
  isValid,
  nameOf,
  type Trace,
  withoutResponse,
} from './exchange.ts'
import { OF_NO_CONTENT } from './refusals.ts'
import { schemeOf, tokenKindOf } from './tokens.ts'
import { listKey, listPagesSoFar, listRecordIds, type Page, type Walks } from './walks.ts'

/** The cancellation of a QR code, as its response shows it. */
export interface Cancellation {
  readonly by: Trace
  /** The status that it shows; undefined if it shows none. */
  readonly status: unknown
}

/** How the service treated a credential. */
export interface Treatment {
  /** The last exchange that accepted it, and the last one that refused it with 401. */
  readonly accepted?: Exchange
  readonly refused?: Trace
}

/** Whether the service lets a partner act as a customer, by the id of a user. */
export interface Impersonation {
  readonly partner: string
  readonly user: string
  readonly customer: string
  /** The last accepted impersonation, and the last refused one. */
  readonly accepted?: Exchange
  readonly refused?: Exchange
}

/** The last payment of a key by an identity that was accepted, and those refused since. */
export interface KeyPayments {
  readonly accepted: Exchange
  readonly refused: readonly RefusedPayment[]
}

/** A valid payment that was refused. */
export interface RefusedPayment {
  readonly amount: bigint
  readonly status: number
  /** Of the refusal; undefined if it shows none. */
  readonly code: string | undefined
}

/** The customers that the last look-up of a user showed. */
export interface UserLookUp {
  /** The look-up. */
  readonly by: Trace
  readonly customers: ReadonlySet<string>
}

/** When a code ends, as its first check has shown. */
export interface ShownEnd {
  /** The check. */
  readonly by: Trace
  /** Milliseconds since 1970, by the clock of the service. */
  readonly at: number
}

/** What the first response that had a revision of a charge showed of it. */
export interface FirstSight {
  readonly by: Trace
  readonly original: string | undefined
  readonly dueDate: string | undefined
  readonly dictKey: string | undefined
}

/** A walk through all pages of a list. */
export interface WholeWalk {
  /** When its first page was requested. */
  readonly sentAt: number
  /** Its last page. */
  readonly by: Trace
  /** The limit of its pages; null if it named none. */
  readonly limit: string | null
  readonly ids: ReadonlySet<string>
}

/**
 * Limits of what is remembered: entries of each map, walks of one list, refused transfers, and those
 * of them that followed one payment of a key.
 */
const MAX_ENTRIES = 5_000
const MAX_WALKS = 4
const MAX_REFUSED_TRANSFERS = 200
const MAX_REFUSED_PAYMENTS = 4

/**
 * What the service itself has shown and refused, so that rules can say where a later exchange
 * contradicts it. `fold` remembers an exchange; the other methods say what earlier ones have shown.
 */
export class Consistency {
  /** By the kind and the id of the QR code. */
  readonly #cancellations = new Bounded<string, Cancellation>(MAX_ENTRIES)
  /** The fields that the creation of a QR code showed, by its kind and its id. */
  readonly #created = new Bounded<string, Json>(MAX_ENTRIES)
  /** The id of the first record that showed a payment, by its `end_to_end_id`. */
  readonly #paid = new Bounded<string, string>(MAX_ENTRIES)
  /** The transfers that were rejected, by the `end_to_end_id`. */
  readonly #rejected = new Bounded<string, Trace>(MAX_ENTRIES)
  /** By the kind and the id of the charge, and its revision. */
  readonly #firstSights = new Bounded<string, FirstSight>(MAX_ENTRIES)
  /** By code and identity. */
  readonly #refusedChecks = new Bounded<string, Trace>(MAX_ENTRIES)
  /** By authorization header. */
  readonly #treatments = new Bounded<string, Treatment>(MAX_ENTRIES)
  /**
   * The operations that have accepted an access token, with the kind of its identity: `getUser partner`.
   * Before that, a 401 may mean that the service refuses this kind of identities.
   */
  readonly #workingCalls = new Set<string>()
  /** By list, owner and filters. */
  readonly #walks = new Bounded<string, readonly WholeWalk[]>(MAX_ENTRIES)

  /** By partner, user and customer. */
  readonly #impersonations = new Bounded<string, Impersonation>(MAX_ENTRIES)
  /** By partner and user. */
  readonly #userLookUps = new Bounded<string, UserLookUp>(MAX_ENTRIES)
  /** The lists that showed a record, and the 404s that denied it, by identity and record. */
  readonly #listed = new Bounded<string, Trace>(MAX_ENTRIES)
  readonly #missed = new Bounded<string, Trace>(MAX_ENTRIES)
  /** The reads of a record that were refused, and its accepted changes, by identity and record. */
  readonly #refusedReads = new Bounded<string, Exchange>(MAX_ENTRIES)
  readonly #acceptedChanges = new Bounded<string, Exchange>(MAX_ENTRIES)
  /** By code. */
  readonly #ends = new Bounded<string, ShownEnd>(MAX_ENTRIES)
  /** By the word of the service, such as `Static`: whether a check first showed it as the kind of a static code. */
  readonly #kindWords = new Bounded<string, boolean>(MAX_ENTRIES)
  /** By identity. */
  readonly #payments = new Bounded<string, KeyPayments>(MAX_ENTRIES)

  #refusedTransfers: readonly Exchange[] = []

  /** The last valid transfers that were refused, without their responses. */
  get refusedTransfers(): readonly Exchange[] {
    return this.#refusedTransfers
  }

  /** The last payments of keys by the identity of an exchange; undefined if none was accepted. */
  findKeyPayments({ identity }: Exchange): KeyPayments | undefined {
    return identity && this.#payments.get(nameOf(identity))
  }

  /** The impersonations of customers. */
  get impersonations(): readonly Impersonation[] {
    return [...this.#impersonations.values()]
  }

  /** The last look-up of a user of a partner. */
  findUserLookUp(partner: string, user: string): UserLookUp | undefined {
    return this.#userLookUps.get(`${partner} ${user}`)
  }

  /** The last list that showed a record to the identity of an exchange. */
  findListing(exchange: Exchange, record: NamedRecord): Trace | undefined {
    return this.#listed.get(recordKey(exchange, record))
  }

  /** The last refusal of a record with 404 for the identity of an exchange. */
  findMissedRead(exchange: Exchange, record: NamedRecord): Trace | undefined {
    return this.#missed.get(recordKey(exchange, record))
  }

  /** The last read of a record that was refused to the identity of an exchange with 403 or 404, without its response. */
  findRefusedRead(exchange: Exchange, record: NamedRecord): Exchange | undefined {
    return this.#refusedReads.get(recordKey(exchange, record))
  }

  /** The last change of a record that was accepted from the identity of an exchange, without its response. */
  findAcceptedChange(exchange: Exchange, record: NamedRecord): Exchange | undefined {
    return this.#acceptedChanges.get(recordKey(exchange, record))
  }

  /** The end of a code that its first check showed, if that was to come. */
  findEnd(emv: string): ShownEnd | undefined {
    return this.#ends.get(emv)
  }

  /** Whether a check first showed a word as the kind of a static code. Undefined if none has shown it. */
  isWordOfStaticCodes(word: string): boolean | undefined {
    return this.#kindWords.get(word)
  }

  /** The first accepted cancellation of a QR code. */
  findCancellation(code: NamedRecord): Cancellation | undefined {
    return this.#cancellations.get(nameRecord(code))
  }

  /** What the creation of a QR code showed, as far as it is short and does not change by itself. */
  findCreatedFields(code: NamedRecord): Json | undefined {
    return this.#created.get(nameRecord(code))
  }

  /** The id of the first record that showed the payment with an `end_to_end_id`. */
  findPaid(endToEndId: string): string | undefined {
    return this.#paid.get(endToEndId)
  }

  /** The transfer with an `end_to_end_id` that its response showed as rejected. */
  findRejectedTransfer(endToEndId: string): Trace | undefined {
    return this.#rejected.get(endToEndId)
  }

  /** What the first response with this revision of a charge showed; undefined if it counts none. */
  findFirstSight(charge: ShownRecord): FirstSight | undefined {
    return this.#firstSights.get(`${nameRecord(charge)} ${charge.fields.revision}`)
  }

  /**
   * The first refused check of the code that a transfer pays since the last accepted one, by the
   * identity that pays.
   */
  findRefusedCheck(transfer: Exchange): Trace | undefined {
    return this.#refusedChecks.get(codeKey(transfer))
  }

  /** How an authorization header was treated before. */
  findTreatment(authorization: string): Treatment {
    return this.#treatments.get(authorization) ?? {}
  }

  /** Whether a refusal with 401 can only concern the credential: right ones were accepted before. */
  isCredentialRefusal(exchange: Exchange): boolean {
    return exchange.status === 401 && this.#workingCalls.has(callKey(exchange))
  }

  /** The last whole walks through the list of an exchange, with the same owner and filters. */
  listWalks(exchange: Exchange): readonly WholeWalk[] {
    return this.#walks.get(listKey(exchange)) ?? []
  }

  /**
   * Takes in the next exchange: each line below remembers what it shows of one matter, if anything. A
   * walk through a list is remembered with its last page, which has no next cursor.
   */
  fold(exchange: Exchange, walks: Walks): void {
    this.#rememberCreation(exchange)
    this.#rememberFirstSights(exchange)
    this.#rememberRejectedTransfer(exchange)
    this.#rememberCancellation(exchange)
    this.#rememberCheck(exchange)
    this.#rememberTreatment(exchange)
    this.#rememberUserLookUp(exchange)
    this.#rememberImpersonation(exchange)
    this.#rememberListedRecords(exchange)
    this.#rememberMissingRecord(exchange)
    this.#rememberRefusedRead(exchange)
    this.#rememberAcceptedChange(exchange)
    this.#rememberEnd(exchange)
    this.#rememberKindWord(exchange)
    this.#rememberRefusedTransfer(exchange)
    this.#rememberKeyPayment(exchange)

    const page = walks.readPage(exchange)
    if (page?.isLast) this.#rememberWalk(page, exchange)
  }

  /** Remembers what the response to the creation of a QR code shows of it. */
  #rememberCreation({ operation, outcome, records }: Exchange): void {
    if (outcome !== 'accepted') return

    for (const record of records) {
      const isCreation = findAction(record.kind, operation?.id) === 'create'
      if (!isCreation || !isCharge(record.kind)) continue

      // A service may respond to a repeated creation with the record as it is now.
      const isFirst = !this.#created.has(nameRecord(record))
      if (isFirst) this.#created.set(nameRecord(record), readShortFields(record))
    }
  }

  /** Remembers what is shown of each charge, and of each payment, for the first time. */
  #rememberFirstSights({ outcome, records, trace }: Exchange): void {
    if (outcome !== 'accepted') return

    for (const record of records) {
      this.#rememberFirstPayment(record)
      this.#rememberFirstRevision(record, trace)
    }
  }

  /** Remembers the first record that shows a payment, by the `end_to_end_id` of the payment. */
  #rememberFirstPayment({ id, fields }: ShownRecord): void {
    const endToEndId = stringAt(fields.payment, '/end_to_end_id')
    const isFirst = endToEndId && !this.#paid.has(endToEndId)
    if (isFirst) this.#paid.set(endToEndId, id.toLowerCase())
  }

  /**
   * Remembers what the first response with this revision of a charge shows of it. The revision rises with each change,
   * so that all responses with the same one must show the same.
   */
  #rememberFirstRevision(record: ShownRecord, by: Trace): void {
    const { fields } = record
    const { dict_key: dictKey, revision } = fields
    if (typeof revision !== 'number') return

    const key = `${nameRecord(record)} ${revision}`
    if (this.#firstSights.has(key)) return

    this.#firstSights.set(key, {
      by,
      original: stringAt(fields.amount, '/original'),
      dueDate: stringAt(fields.calendar, '/due_date'),
      dictKey: typeof dictKey === 'string' ? dictKey : undefined,
    })
  }

  /** Remembers a transfer that was accepted and rejected at once. */
  #rememberRejectedTransfer({ operation, outcome, responseBody, trace }: Exchange): void {
    if (operation?.id !== 'createTransfer' || outcome !== 'accepted') return
    const isRejected = stringAt(responseBody, '/status') === REJECTED
    const endToEndId = stringAt(responseBody, '/data/end_to_end_id')
    if (isRejected && endToEndId) this.#rejected.set(endToEndId, trace)
  }

  /** Remembers the status that the first cancellation of a QR code shows. */
  #rememberCancellation(exchange: Exchange): void {
    const { operation, outcome, records, trace } = exchange
    const kind = findKind(operation?.id)
    const id = findIdInPath(exchange)
    if (outcome !== 'accepted' || id === undefined || !kind) return

    const key = nameRecord({ kind, id })
    const isCancellation = findAction(kind, operation?.id) === 'cancel'
    if (!isCancellation || this.#cancellations.has(key)) return

    const cancelled = records.find((record) => record.id === id)
    this.#cancellations.set(key, { by: trace, status: cancelled?.fields.status })
  }

  /**
   * Remembers the first refused check of a payment code by an identity, until a check of the same code is accepted.
   * A payment of that code would contradict the refusal.
   */
  #rememberCheck(exchange: Exchange): void {
    if (exchange.operation?.id !== 'checkCode') return

    const key = codeKey(exchange)
    if (exchange.outcome === 'accepted') {
      this.#refusedChecks.delete(key)
      return
    }

    const isFirst = !this.#refusedChecks.has(key)
    if (isFirst && isRefusedForContent(exchange)) this.#refusedChecks.set(key, exchange.trace)
  }

  /**
   * Remembers how the service treated the credential of a request, such as `Bearer abc`: the last request that it
   * accepted, and the last one that it refused with 401. Ignores tokens that the operation does not take.
   */
  #rememberTreatment(exchange: Exchange): void {
    const { authorization } = exchange.request.headers
    if (authorization === undefined || !hasDeclaredTokenKind(exchange)) return

    const treatment = this.findTreatment(authorization)
    if (this.isCredentialRefusal(exchange)) {
      this.#treatments.set(authorization, { ...treatment, refused: exchange.trace })
      return
    }
    if (exchange.outcome !== 'accepted') return

    this.#treatments.set(authorization, { ...treatment, accepted: exchange })
    // The operation takes tokens of this kind, such as those of customers: a later 401 is about the credential itself.
    if (hasBearerAccessToken(exchange)) this.#workingCalls.add(callKey(exchange))
  }

  /** Remembers which customers the look-up of a user shows to a partner. */
  #rememberUserLookUp(exchange: Exchange): void {
    const { operation, outcome, identity, parameters, records, trace } = exchange
    if (operation?.id !== 'getUser' || outcome !== 'accepted' || !isPartner(identity)) return

    const customers = new Set<string>()
    for (const { kind, id } of records) {
      if (kind.name === 'customer') customers.add(id)
    }
    this.#userLookUps.set(`${identity.partner} ${parameters.user_id}`, { by: trace, customers })
  }

  /**
   * Remembers whether the service lets a partner act as a customer, by the id of a user (`impersonate`): the last
   * accepted and the last refused request for that user and customer.
   */
  #rememberImpersonation(exchange: Exchange): void {
    const { operation, outcome, identity, requestBody } = exchange
    if (operation?.id !== 'impersonate' || outcome === 'unknown' || !isPartner(identity)) return

    const { partner } = identity
    const user = stringAt(requestBody, '/user_id')
    const customer = stringAt(requestBody, '/customer_id')
    if (!user || !customer) return

    const key = `${partner} ${user} ${customer}`
    const impersonation = this.#impersonations.get(key) ?? { partner, user, customer }
    this.#impersonations.set(key, { ...impersonation, [outcome]: withoutResponse(exchange) })
  }

  /** Remembers which records a list shows to an identity. */
  #rememberListedRecords(exchange: Exchange): void {
    const { outcome, records, trace } = exchange
    const isList = findDeclaredList(exchange) !== undefined
    if (!isList || outcome !== 'accepted') return
    for (const record of records) this.#listed.set(recordKey(exchange, record), trace)
  }

  /** Remembers the record that does not exist for an identity, as a 404 says. */
  #rememberMissingRecord(exchange: Exchange): void {
    const { status, trace } = exchange
    const record = findRecordInPath(exchange)
    if (status === 404 && record) this.#missed.set(recordKey(exchange, record), trace)
  }

  /** Remembers the record that a read names in its path and that the service refuses to show. */
  #rememberRefusedRead(exchange: Exchange): void {
    const record = findRecordInPath(exchange)
    if (!record || !isRefusedRead(exchange)) return
    this.#refusedReads.set(recordKey(exchange, record), withoutResponse(exchange))
  }

  /** Remembers the record that a request names in its path and has changed. */
  #rememberAcceptedChange(exchange: Exchange): void {
    const record = findRecordInPath(exchange)
    if (!record || !isAcceptedChange(exchange)) return
    this.#acceptedChanges.set(recordKey(exchange, record), withoutResponse(exchange))
  }

  /** Remembers when a payment code expires, as the first check of it showed before it had expired. */
  #rememberEnd(exchange: Exchange): void {
    const { operation, outcome, requestBody, responseBody, trace } = exchange
    if (operation?.id !== 'checkCode' || outcome !== 'accepted') return

    const emv = stringAt(requestBody, '/emv')
    const endsAt = timeAt(responseBody, '/expiration')
    if (emv === undefined || endsAt === undefined || this.#ends.has(emv)) return

    const hasExpired = endsAt <= trace.time
    if (!hasExpired) this.#ends.set(emv, { by: trace, at: endsAt })
  }

  /** Remembers for which codes a check first shows a word as their kind: static or dynamic ones. */
  #rememberKindWord(exchange: Exchange): void {
    const shown = readKindWord(exchange)
    if (!shown || this.#kindWords.has(shown.word)) return
    this.#kindWords.set(shown.word, shown.isOfStaticCode)
  }

  /** Remembers a valid transfer that was refused. */
  #rememberRefusedTransfer(exchange: Exchange): void {
    const { operation, outcome } = exchange
    if (operation?.id !== 'createTransfer' || outcome !== 'refused' || !isValid(exchange)) return

    const transfers = [...this.#refusedTransfers, withoutResponse(exchange)]
    this.#refusedTransfers = transfers.slice(-MAX_REFUSED_TRANSFERS)
  }

  /** Remembers a payment of a key, accepted or refused, by its payer. Other transfers end what is remembered. */
  #rememberKeyPayment(exchange: Exchange): void {
    const { operation, outcome, identity } = exchange
    if (operation?.id !== 'createTransfer' || !identity) return

    const payer = nameOf(identity)
    if (outcome === 'accepted') this.#rememberAcceptedPayment(payer, exchange)
    if (outcome === 'refused') this.#rememberRefusedPayment(payer, exchange)
  }

  /** Remembers the last payment of a key that was accepted, and forgets those that were refused before it. */
  #rememberAcceptedPayment(payer: string, exchange: Exchange): void {
    const paysKey = stringAt(exchange.requestBody, '/type') === 'dict'
    if (paysKey) this.#payments.set(payer, { accepted: withoutResponse(exchange), refused: [] })
    // Any other transfer changes the balance, so that earlier refusals say nothing of it any more.
    else this.#payments.delete(payer)
  }

  /**
   * Remembers the largest payments of keys that were refused since the last accepted one, and differ from
   * it by the amount: `[{ amount: 500000n, status: 422, code: 'insufficient_funds' }]`. They say what the account
   * does not hold. Does nothing if no payment was accepted before, or if this one differs in more than its amount.
   */
  #rememberRefusedPayment(payer: string, exchange: Exchange): void {
    const { responseBody, status } = exchange
    const payments = this.#payments.get(payer)
    const amount = readSentAmount(exchange)
    if (!payments || amount === undefined || !isValid(exchange)) return
    if (!isLikePayment(exchange, payments.accepted)) return

    const payment = { amount, status, code: stringAt(responseBody, '/code') }
    const largestFirst = [...payments.refused, payment].toSorted((a, b) =>
      Number(b.amount - a.amount),
    )
    const refused = largestFirst.slice(0, MAX_REFUSED_PAYMENTS)
    this.#payments.set(payer, { ...payments, refused })
  }

  /**
   * Remembers a walk through a whole list, of which this is the last page: its limit, and the ids of the
   * records on all pages.
   */
  #rememberWalk(page: Page, exchange: Exchange): void {
    const pages = listPagesSoFar(page)
    const [firstPage] = pages
    // The name of the query parameter, such as `limit`.
    const limitParameter = findDeclaredList(exchange)?.pages?.limit
    const walk: WholeWalk = {
      sentAt: firstPage.sentAt,
      by: exchange.trace,
      limit: limitParameter === undefined ? null : exchange.query.get(limitParameter),
      ids: listRecordIds(pages),
    }

    const walks = [...this.listWalks(exchange), walk]
    this.#walks.set(listKey(exchange), walks.slice(-MAX_WALKS))
  }
}

/** The length of a short string, in characters. */
const MAX_SHORT_LENGTH = 100

/**
 * The fields of a record that can be compared later: short strings, numbers and booleans, without the
 * fields that change by themselves, such as `updated_at`.
 */
export function readShortFields({ kind, fields }: Pick<ShownRecord, 'kind' | 'fields'>): Json {
  const { volatile = [] } = kind.resource
  const entries = Object.entries(fields).filter(
    ([name, value]) => isShort(value) && !volatile.includes(`/${name}`),
  )
  return Object.fromEntries(entries)
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_SHORT_LENGTH
  return typeof value === 'number' || typeof value === 'boolean'
}

/**
 * Reads the word that the check of a code shows as its kind, as the service writes it, and whether the code is static:
 * its text says that. Undefined if the check shows no word, or the code cannot be read.
 */
export function readKindWord({
  operation,
  outcome,
  requestBody,
  untranslatedBody,
}: Exchange): { readonly word: string; readonly isOfStaticCode: boolean } | undefined {
  if (operation?.id !== 'checkCode' || outcome !== 'accepted') return undefined

  const emv = stringAt(requestBody, '/emv') ?? ''
  const word = stringAt(untranslatedBody, '/qrcode_type') ?? ''
  if (!isFilled(word)) return undefined

  const isOfStaticCode = decodeStaticCode(emv) !== undefined
  const isReadable = isOfStaticCode || findLocation(emv) !== undefined
  return isReadable ? { word, isOfStaticCode } : undefined
}

/** Whether an operation takes tokens of the kind of identity that a request has. */
export function hasDeclaredTokenKind({ operation, token }: Exchange): boolean {
  if (operation?.scheme !== 'bearer' || !token) return false
  return operation.tokens.includes(tokenKindOf(token.identity))
}

function hasBearerAccessToken({ token, authorization }: Exchange): boolean {
  return token?.kind === 'access' && schemeOf(authorization) === 'bearer'
}

/** Whether an identity is a partner itself, and no customer for whom it acts. */
function isPartner(identity: Identity | undefined): identity is Identity {
  return identity !== undefined && identity.customer === undefined
}

/** An operation and the kind of identity that calls it: `getUser partner`. */
function callKey({ operation, token }: Exchange): string {
  return `${operation?.id} ${token && tokenKindOf(token.identity)}`
}

/** Whether a service refuses to show what is asked for, with 403 or 404. */
export function isRefusedRead({ operation, status }: Exchange): boolean {
  return operation?.effect === 'read' && [403, 404].includes(status)
}

/** Whether a request changes something, and is accepted. */
export function isAcceptedChange({ operation, outcome }: Exchange): boolean {
  return operation !== undefined && operation.effect !== 'read' && outcome === 'accepted'
}

/** The record that a request names in its path, known or not. */
function findRecordInPath(exchange: Exchange): NamedRecord | undefined {
  const kind = findKind(exchange.operation?.id)
  const id = findIdInPath(exchange)
  return kind && id !== undefined ? { kind, id } : undefined
}

/** A record and the identity that asks for it, as a text. */
function recordKey({ identity }: Exchange, record: NamedRecord): string {
  return JSON.stringify([identity && nameOf(identity), nameRecord(record)])
}

/** The code of a request and who sends it, as a text: another identity may have no right to the code. */
function codeKey({ requestBody, identity }: Exchange): string {
  return JSON.stringify([identity && nameOf(identity), stringAt(requestBody, '/emv')])
}

/** Whether a request was refused for what it says, and not for its credentials or its form. */
function isRefusedForContent({ outcome, status }: Exchange): boolean {
  return outcome === 'refused' && !OF_NO_CONTENT.includes(status)
}

/** Fields of a transfer that differ from one payment of a key to the next. */
const VARYING_FIELDS: ReadonlySet<string> = new Set(['amount', 'initiation_id'])

/**
 * Whether a payment has all that an accepted one had, but for its amount and its `initiation_id`. A service may
 * refuse one that lacks a field, such as the beneficiary, by the same code as one that exceeds the balance.
 */
export function isLikePayment({ requestBody }: Exchange, accepted: Exchange): boolean {
  const sent = fieldsOf(requestBody)
  for (const [name, value] of Object.entries(fieldsOf(accepted.requestBody))) {
    if (VARYING_FIELDS.has(name)) continue
    if (!isSameValue(value, sent[name])) return false
  }
  return true
}
