import { behaviour } from '../contract/behaviour.ts'
import { type Json, stringAt } from '../contract/json.ts'
import { actionOf, kindOf, type Shown } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import { listKey, type Page, type Walks, walkTo } from './earlier.ts'
import { type Exchange, nameOf, type Trace } from './exchange.ts'
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
    return this.#refusedChecks.get(checkOf(transfer))
  }

  /** How an authorization header was treated before. */
  treatmentOf(authorization: string): Treatment {
    return this.#treatments.get(authorization) ?? {}
  }

  /** Whether a refusal with 401 can only concern the credential: right ones were accepted before. */
  isOfCredential(exchange: Exchange): boolean {
    return exchange.status === 401 && this.#working.has(callOf(exchange))
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

    const page = walks.pageOf(exchange)
    if (page?.next === null) this.#foldWalk(page, exchange)
  }

  #foldCreation({ operation, outcome, records }: Exchange): void {
    if (outcome !== 'accepted') return
    for (const shown of records) {
      const canEnd = shown.kind.resource.operations.cancel !== undefined
      const isCreation = actionOf(shown.kind, operation?.id) === 'create'
      if (canEnd && isCreation) this.#created.set(shown.id, shortFields(shown))
    }
  }

  #foldCancellation({ operation, outcome, parameters, records, trace }: Exchange): void {
    const kind = kindOf(operation?.id)
    const [id] = Object.values(parameters)
    if (outcome !== 'accepted' || id === undefined || !kind) return

    const isCancellation = actionOf(kind, operation?.id) === 'cancel'
    if (!isCancellation || this.#cancellations.has(id)) return
    const shown = records.find((record) => record.id === id)
    this.#cancellations.set(id, { by: trace, status: shown?.fields.status })
  }

  #foldCheck(exchange: Exchange): void {
    if (exchange.operation?.id !== 'checkCode') return

    const check = checkOf(exchange)
    if (exchange.outcome === 'accepted') this.#refusedChecks.delete(check)
    const isFirst = isOfContent(exchange) && !this.#refusedChecks.has(check)
    if (isFirst) this.#refusedChecks.set(check, exchange.trace)
  }

  #foldTreatment(exchange: Exchange): void {
    const { outcome, operation, token, request } = exchange
    const { authorization } = request.headers
    if (!operation || authorization === undefined || !hasDeclaredTokenKind(exchange)) return

    const isRight = token?.kind === 'access' && schemeOf(authorization) === 'bearer'
    if (outcome === 'accepted' && isRight) this.#working.add(callOf(exchange))

    const earlier = this.treatmentOf(authorization)
    if (outcome === 'accepted')
      this.#treatments.set(authorization, { ...earlier, accepted: exchange })
    if (this.isOfCredential(exchange))
      this.#treatments.set(authorization, { ...earlier, refused: exchange.trace })
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
export function shortFields({ kind, fields }: Pick<Shown, 'kind' | 'fields'>): Json {
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
function callOf({ operation, token }: Exchange): string {
  return `${operation?.id} ${token && tokenKindOf(token.identity)}`
}

/** The code that a request names, and who sends it. Another identity may have no right to the code. */
function checkOf({ sent, by }: Exchange): string {
  return JSON.stringify([by && nameOf(by), stringAt(sent, '/emv')])
}

function isOfContent({ outcome, status }: Exchange): boolean {
  return outcome === 'refused' && !OF_NO_CONTENT.includes(status)
}
