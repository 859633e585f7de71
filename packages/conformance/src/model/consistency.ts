import { behaviour } from '../contract/behaviour.ts'
import { type Json, stringAt, timeAt } from '../contract/json.ts'
import { findAction, findKind, type ShownRecord } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import { listKey, type Page, type Walks, walkTo } from './earlier.ts'
import { type Exchange, isValid, nameOf, type Trace, withoutResponse } from './exchange.ts'
import { OF_NO_CONTENT } from './refusals.ts'
import { schemeOf, tokenKindOf } from './tokens.ts'

/** The cancellation of a QR code, as its response shows it. */
export interface Cancellation {
  readonly by: Trace
  /** The status that it shows; undefined if it shows none. */
  readonly status: unknown
}

/** How a credential was treated that the contract accepts nowhere. */
export interface Treatment {
  /** The last exchange that accepted it, and the last one that refused it with 401. */
  readonly accepted?: Exchange
  readonly refused?: Trace
}

/** What a service said of a user and a customer: by look-ups of the user, and by impersonations. */
export interface Acting {
  readonly partner: string
  readonly user: string
  readonly customer: string
  /** The last accepted impersonation, and the last refused one. */
  readonly accepted?: Exchange
  readonly refused?: Exchange
}

/** The last look-up of a user. */
export interface UserLook {
  readonly by: Trace
  readonly customers: ReadonlySet<string>
}

/** The end of a code, which a check has shown before it. */
export interface ShownEnd {
  readonly by: Trace
  /** Milliseconds since 1970, by the clock of the service. */
  readonly at: number
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

/** Codes, credentials and lists that are remembered, and walks of one list. */
const MOST = 5_000
const MOST_WALKS = 4
/** Refused transfers that are remembered. */
const MOST_REFUSED = 200

/** What the service itself has shown and refused, where a later exchange may contradict it. */
export class Consistency {
  readonly #cancellations = new Bounded<string, Cancellation>(MOST)
  readonly #created = new Bounded<string, Json>(MOST)
  readonly #refusedChecks = new Bounded<string, Trace>(MOST)
  readonly #treatments = new Bounded<string, Treatment>(MOST)
  /**
   * The operations that have accepted an access token, each with the kind of its identity. Only then
   * 401 concerns the credential: a service may refuse the other kind so.
   */
  readonly #working = new Set<string>()
  readonly #walks = new Bounded<string, readonly WholeWalk[]>(MOST)

  readonly #actings = new Bounded<string, Acting>(MOST)
  readonly #users = new Bounded<string, UserLook>(MOST)
  readonly #listed = new Bounded<string, Trace>(MOST)
  readonly #missed = new Bounded<string, Trace>(MOST)
  readonly #ends = new Bounded<string, ShownEnd>(MOST)

  #refusedTransfers: readonly Exchange[] = []

  /** The last valid transfers that were refused, without their responses. */
  get refusedTransfers(): readonly Exchange[] {
    return this.#refusedTransfers
  }

  /** The impersonations of customers. */
  get actings(): readonly Acting[] {
    return [...this.#actings.values()]
  }

  /** The last look-up of a user of a partner. */
  lookAt(partner: string, user: string): UserLook | undefined {
    return this.#users.get(`${partner} ${user}`)
  }

  /** The last list that showed a record to the identity of an exchange. */
  listedTo(exchange: Exchange, id: string): Trace | undefined {
    return this.#listed.get(recordKey(exchange, id))
  }

  /** The last refusal of a record with 404 for the identity of an exchange. */
  missedBy(exchange: Exchange, id: string): Trace | undefined {
    return this.#missed.get(recordKey(exchange, id))
  }

  /** The end of a code that its first check showed, if that was to come. */
  endOf(emv: string): ShownEnd | undefined {
    return this.#ends.get(emv)
  }

  /** The first accepted cancellation of a QR code, by the id of its record. */
  cancellationOf(id: string): Cancellation | undefined {
    return this.#cancellations.get(id)
  }

  /** What the creation of a QR code showed, as far as it is short and does not change by itself. */
  createdAs(id: string): Json | undefined {
    return this.#created.get(id)
  }

  /**
   * The first refused check of the code that a transfer pays since the last accepted one, by the
   * identity that pays.
   */
  refusedCheckOf(transfer: Exchange): Trace | undefined {
    return this.#refusedChecks.get(codeKey(transfer))
  }

  /** How an authorization header was treated before. */
  treatmentOf(authorization: string): Treatment {
    return this.#treatments.get(authorization) ?? {}
  }

  /** Whether a refusal with 401 can only concern the credential: right ones were accepted before. */
  isOfCredential(exchange: Exchange): boolean {
    return exchange.status === 401 && this.#working.has(callKey(exchange))
  }

  /** The last whole walks through the list of an exchange, with the same owner and filters. */
  walksOf(exchange: Exchange): readonly WholeWalk[] {
    return this.#walks.get(listKey(exchange)) ?? []
  }

  fold(exchange: Exchange, walks: Walks): void {
    this.#foldCreation(exchange)
    this.#foldCancellation(exchange)
    this.#foldCheck(exchange)
    this.#foldTreatment(exchange)
    this.#foldActing(exchange)
    this.#foldSight(exchange)
    this.#foldEnd(exchange)
    this.#foldRefusedTransfer(exchange)

    const page = walks.pageOf(exchange)
    if (page?.next === null) this.#foldWalk(page, exchange)
  }

  #foldCreation({ operation, outcome, records }: Exchange): void {
    if (outcome !== 'accepted') return
    for (const shown of records) {
      const canEnd = shown.kind.resource.operations.cancel !== undefined
      const isCreation = findAction(shown.kind, operation?.id) === 'create'
      // The same creation may come again, to which a service responds with the record as it is now.
      const isFirst = !this.#created.has(shown.id)
      if (canEnd && isCreation && isFirst) this.#created.set(shown.id, shortFields(shown))
    }
  }

  #foldCancellation({ operation, outcome, parameters, records, trace }: Exchange): void {
    const kind = findKind(operation?.id)
    const [id] = Object.values(parameters)
    if (outcome !== 'accepted' || id === undefined || !kind) return

    const isCancellation = findAction(kind, operation?.id) === 'cancel'
    if (!isCancellation || this.#cancellations.has(id)) return
    const shown = records.find((record) => record.id === id)
    this.#cancellations.set(id, { by: trace, status: shown?.fields.status })
  }

  #foldCheck(exchange: Exchange): void {
    if (exchange.operation?.id !== 'checkCode') return

    const key = codeKey(exchange)
    if (exchange.outcome === 'accepted') this.#refusedChecks.delete(key)
    const isFirst = isOfContent(exchange) && !this.#refusedChecks.has(key)
    if (isFirst) this.#refusedChecks.set(key, exchange.trace)
  }

  #foldTreatment(exchange: Exchange): void {
    const { outcome, operation, token, request } = exchange
    const { authorization } = request.headers
    if (!operation || authorization === undefined || !hasDeclaredTokenKind(exchange)) return

    const isRight = token?.kind === 'access' && schemeOf(authorization) === 'bearer'
    if (outcome === 'accepted' && isRight) this.#working.add(callKey(exchange))

    const earlier = this.treatmentOf(authorization)
    if (outcome === 'accepted')
      this.#treatments.set(authorization, { ...earlier, accepted: exchange })
    if (this.isOfCredential(exchange))
      this.#treatments.set(authorization, { ...earlier, refused: exchange.trace })
  }

  #foldActing(exchange: Exchange): void {
    const { operation, outcome, by, sent, parameters, records, trace } = exchange
    if (!by || by.customer !== undefined) return

    const { partner } = by
    if (operation?.id === 'getUser' && outcome === 'accepted') {
      const customers = records.filter(({ kind }) => kind.name === 'customer')
      const ids = new Set(customers.map(({ id }) => id))
      this.#users.set(`${partner} ${parameters.user_id}`, { by: trace, customers: ids })
    }

    const user = stringAt(sent, '/user_id')
    const customer = stringAt(sent, '/customer_id')
    if (operation?.id !== 'impersonate' || outcome === 'unknown' || !user || !customer) return
    const key = `${partner} ${user} ${customer}`
    const before = this.#actings.get(key) ?? { partner, user, customer }
    this.#actings.set(key, { ...before, [outcome]: withoutResponse(exchange) })
  }

  /** Remembers which records a list shows to an identity, and which it is said to be without. */
  #foldSight(exchange: Exchange): void {
    const { outcome, operation, status, parameters, records, trace } = exchange
    const isList = behaviour.lists[operation?.id ?? ''] !== undefined
    if (isList && outcome === 'accepted')
      for (const { id } of records) this.#listed.set(recordKey(exchange, id), trace)

    const [id] = Object.values(parameters)
    if (status === 404 && id !== undefined) this.#missed.set(recordKey(exchange, id), trace)
  }

  #foldEnd({ operation, outcome, sent, shown, trace }: Exchange): void {
    const emv = stringAt(sent, '/emv')
    const at = timeAt(shown, '/expiration')
    if (operation?.id !== 'checkCode' || outcome !== 'accepted' || emv === undefined) return
    if (at === undefined || at <= trace.time || this.#ends.has(emv)) return
    this.#ends.set(emv, { by: trace, at })
  }

  #foldRefusedTransfer(exchange: Exchange): void {
    const { operation, outcome } = exchange
    if (operation?.id !== 'createTransfer' || outcome !== 'refused' || !isValid(exchange)) return
    const all = [...this.#refusedTransfers, withoutResponse(exchange)]
    this.#refusedTransfers = all.slice(-MOST_REFUSED)
  }

  #foldWalk(page: Page, exchange: Exchange): void {
    const pages = walkTo(page)
    const { limit = '' } = behaviour.lists[exchange.operation?.id ?? '']?.pages ?? {}
    const walk: WholeWalk = {
      sentAt: pages[0]?.sentAt ?? page.sentAt,
      by: exchange.trace,
      limit: exchange.query.get(limit),
      ids: idsOf(pages),
    }
    this.#walks.set(listKey(exchange), [...this.walksOf(exchange), walk].slice(-MOST_WALKS))
  }
}

/** Characters of a short string. */
const SHORT = 100

/** The short fields of a record, but those that change by themselves. */
export function shortFields({ kind, fields }: Pick<ShownRecord, 'kind' | 'fields'>): Json {
  const { volatile = [] } = kind.resource
  const entries = Object.entries(fields).filter(([name, value]) => {
    const isShort = typeof value === 'string' && value.length <= SHORT
    const isPlain = isShort || typeof value === 'number' || typeof value === 'boolean'
    return isPlain && !volatile.includes(`/${name}`)
  })
  return Object.fromEntries(entries)
}

/** The ids of the records on pages of a list. */
export function idsOf(pages: readonly Page[]): ReadonlySet<string> {
  return new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)))
}

/** Whether an operation takes tokens of the kind of identity that a request has. */
export function hasDeclaredTokenKind({ operation, token }: Exchange): boolean {
  if (operation?.scheme !== 'bearer' || !token) return false
  return operation.tokens.includes(tokenKindOf(token.identity))
}

/** An operation, and the kind of identity that calls it. */
function callKey({ operation, token }: Exchange): string {
  return `${operation?.id} ${token && tokenKindOf(token.identity)}`
}

/** A record, and the identity that sees it. */
function recordKey({ by }: Exchange, id: string): string {
  return JSON.stringify([by && nameOf(by), id])
}

/** The code that a request names, and who sends it. Another identity may have no right to the code. */
function codeKey({ sent, by }: Exchange): string {
  return JSON.stringify([by && nameOf(by), stringAt(sent, '/emv')])
}

function isOfContent({ outcome, status }: Exchange): boolean {
  return outcome === 'refused' && !OF_NO_CONTENT.includes(status)
}
