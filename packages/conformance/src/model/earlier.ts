import { tryDecode } from '@partner-payments/brcode'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import { cursorCandidates } from '../form/own-form.ts'
import type { RecordedExchange } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, isValid, nameOf } from './exchange.ts'

/** The last reads, for comparison with HEAD. */
export class Reads {
  readonly #known = new Bounded<string, Exchange>(100)

  /** The GET of the same path and credentials since which nothing was written. */
  before(exchange: Exchange): Exchange | undefined {
    const isWriteBeside = exchange.beside.some(({ request }) => !isRead(request.method))
    return isWriteBeside ? undefined : this.#known.get(readKey(exchange))
  }

  fold(exchange: Exchange): void {
    const { method } = exchange.request
    if (method === 'GET') this.#known.set(readKey(exchange), exchange)
    else if (method !== 'HEAD') this.#known.clear()
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function readKey({ request: { path, headers } }: Exchange): string {
  return `${path} ${headers.authorization ?? ''}`
}

/** How a service refuses requests that do not match the contract. */
export class Refusals {
  readonly #forms = new Bounded<string, true>(1_000)

  /** Whether a refusal has the form of those of invalid requests of its operation. */
  isOfInvalid(exchange: Exchange): boolean {
    return this.#forms.has(formOf(exchange))
  }

  fold(exchange: Exchange): void {
    const { outcome, operation, status } = exchange
    const isOfContent = status === 400 || status === 404 || status === 422
    if (outcome !== 'refused' || !operation || !isOfContent) return

    const form = formOf(exchange)
    if (!this.#forms.has(form) && !isValid(exchange)) this.#forms.set(form, true)
  }
}

function formOf({ operation, status, shown }: Exchange): string {
  return `${operation?.id} ${status} ${stringAt(shown, '/code') ?? ''}`
}

/** The earlier exchanges whose results a request uses. */
export class Sources {
  readonly #known = new Bounded<string, Exchange>(2_000)

  /**
   * The creation and the last check of its payment code, the look-up of its key or of that of its
   * code, or the list of its user.
   */
  of({ sent, operation, by }: Exchange): readonly Exchange[] {
    const keys: string[] = []

    const emv = stringAt(sent, '/emv')
    if (emv !== undefined) keys.push(`created ${emv}`, `checked ${emv}`)

    const isCheck = operation?.id === 'checkCode' && emv !== undefined
    if (isCheck) keys.push(`looked up key ${this.#keyOfCode(emv)}`)

    const initiation = stringAt(sent, '/initiation_id')
    if (initiation !== undefined) keys.push(`looked up ${initiation}`)

    if (operation?.id === 'getUser' && by) keys.push(`listed ${by.partner}`)

    return keys.flatMap((key) => this.#known.get(key) ?? [])
  }

  /** The last accepted look-up of a key. */
  lookUpOf(key: string): Exchange | undefined {
    return this.#known.get(`looked up key ${key}`)
  }

  /** The last look-up that issued an initiation_id. */
  issuing(initiationId: string): Exchange | undefined {
    return this.#known.get(`looked up ${initiationId}`)
  }

  /** The key of a code: that of a static one, or the one that its creation names. */
  #keyOfCode(emv: string): string | undefined {
    const created = this.#known.get(`created ${emv}`)
    if (created) return stringAt(created.sent, '/dict_key')

    const decoded = tryDecode(emv, { profile: 'lenient' })
    return decoded.ok && decoded.code.kind === 'static' ? decoded.code.key : undefined
  }

  fold(exchange: Exchange): void {
    const { outcome, operation, sent, unknown } = exchange
    if (outcome !== 'accepted' || unknown.sent.length > 0) return
    const key = sourceKey(exchange)
    if (key !== undefined) this.#known.set(key, exchange)

    if (operation?.id === 'checkKey')
      this.#known.set(`looked up key ${stringAt(sent, '/dict_key')}`, exchange)
  }
}

/** What later requests use of an exchange; undefined if they use nothing. */
function sourceKey({ sent, shown, operation, by }: Exchange): string | undefined {
  if (operation?.id === 'checkCode') return `checked ${stringAt(sent, '/emv')}`
  if (operation?.id === 'checkKey') return `looked up ${stringAt(shown, '/initiation_id')}`
  if (operation?.id === 'listUsers') return by ? `listed ${by.partner}` : undefined
  if (operation?.method !== 'POST') return undefined

  const created = stringAt(shown, '/emv')
  return created === undefined ? undefined : `created ${created}`
}

/** A page of a list, joined to the ones before it by their cursors. */
export interface Page {
  readonly sentAt: number
  readonly beside: readonly RecordedExchange[]
  readonly items: readonly Pick<ShownRecord, 'kind' | 'id'>[]
  /**
   * The cursor of the next page; null if this is the last one, undefined if the response shows
   * none.
   */
  readonly next: unknown
  readonly previous: Page | undefined
  /** Its place in the walk. The first page has 1. */
  readonly count: number
}

/** What a page shows beside its records, by pointers, and the ids of these. */
interface Candidates {
  readonly values: readonly (readonly [pointer: string, value: string])[]
  readonly ids: readonly string[]
}

/** Cursors and pages of a walk that are remembered. */
const MOST = 5_000
const MOST_PAGES = 500

/** The walks through lists. */
export class Walks {
  /** The pages by the cursors that they end with. */
  readonly #ended = new Bounded<string, Page>(MOST)
  /** Which list of which owner issued a cursor. */
  readonly #issued = new Bounded<string, string>(MOST)
  /** The last look at the first page of a list. */
  readonly #looks = new Bounded<string, Exchange>(100)

  /** The last page of each list that has no cursor at the declared place, with what may be one. */
  readonly #candidates = new Bounded<string, Candidates>(100)

  /** How many cursors it has forgotten. */
  get forgotten(): number {
    return this.#issued.forgotten
  }

  /** The page that a response shows; undefined if it shows none, or its first page is not known. */
  pageOf(exchange: Exchange): Page | undefined {
    const { sentAt, beside, records, shown, query } = exchange
    const declared = behaviour.lists[exchange.operation?.id ?? '']
    if (!declared || exchange.outcome !== 'accepted' || !exchange.by) return undefined
    if (!Array.isArray(valueAt(shown, declared.items))) return undefined

    const cursor = query.get(declared.pages?.cursor ?? '')
    const isFirst = cursor === null
    const previous = isFirst ? undefined : this.#ended.get(this.#keyOf(exchange, cursor))
    if (!isFirst && !previous) return undefined

    const count = (previous?.count ?? 0) + 1
    if (count > MOST_PAGES) return undefined

    return {
      sentAt,
      beside,
      items: records.map(({ kind, id }) => ({ kind, id })),
      next: declared.pages ? valueAt(shown, declared.pages.next) : null,
      previous,
      count,
    }
  }

  /** The last look at the first page of a list with the same owner and query. */
  lastLook(exchange: Exchange): Exchange | undefined {
    return this.#looks.get(this.#lookKey(exchange))
  }

  /** Whether an earlier page of the same list, owner and filters had a cursor. */
  isKnown(exchange: Exchange, cursor: string): boolean {
    return this.#ended.has(this.#keyOf(exchange, cursor))
  }

  /**
   * Whether the last page that had a cursor is one of another list or owner; undefined if no page
   * had it.
   */
  isForeign(exchange: Exchange, cursor: string): boolean | undefined {
    const issuer = this.#issued.get(cursor)
    return issuer === undefined ? undefined : issuer !== issuerOf(exchange)
  }

  /**
   * Where the page before shows the cursor of this one: a value of it was accepted as a cursor, and
   * led to other records. Undefined if it is the declared place.
   */
  cursorPlaceOf(exchange: Exchange): string | undefined {
    const name = behaviour.lists[exchange.operation?.id ?? '']?.pages?.cursor ?? ''
    const cursor = exchange.query.get(name)
    const before = cursor === null ? undefined : this.#candidates.get(listKey(exchange))
    const ids = exchange.records.map(({ id }) => id)
    const isOther = ids.length > 0 && ids.every((id) => !before?.ids.includes(id))
    if (!before || !isOther) return undefined

    const [place, ...others] = before.values.filter(([, value]) => value === cursor)
    return others.length === 0 ? place?.[0] : undefined
  }

  fold(exchange: Exchange): void {
    this.#keepCandidates(exchange)
    this.#keepIssued(exchange)
    const page = this.pageOf(exchange)
    if (page && !page.previous) this.#looks.set(this.#lookKey(exchange), exchange)
    if (typeof page?.next !== 'string') return
    this.#ended.set(this.#keyOf(exchange, page.next), page)
  }

  /** The cursor of a page, whether the pages before it are known or not. */
  #keepIssued(exchange: Exchange): void {
    const { pages } = behaviour.lists[exchange.operation?.id ?? ''] ?? {}
    if (!pages || exchange.outcome !== 'accepted') return
    const next = stringAt(exchange.shown, pages.next)
    if (next !== undefined) this.#issued.set(next, issuerOf(exchange))
  }

  #keepCandidates(exchange: Exchange): void {
    const list = exchange.operation?.id ?? ''
    const { pages } = behaviour.lists[list] ?? {}
    if (!pages || exchange.outcome !== 'accepted') return
    if (typeof valueAt(exchange.shown, pages.next) === 'string') return

    const values = cursorCandidates(list, exchange.shown)
    // One of them may turn out to be the cursor.
    for (const [, value] of values) this.#issued.set(value, issuerOf(exchange))
    this.#candidates.set(listKey(exchange), {
      values,
      ids: exchange.records.map(({ id }) => id),
    })
  }

  /** A cursor goes with the list, the filters and the owner of its page. */
  #keyOf(exchange: Exchange, cursor: unknown): string {
    return JSON.stringify([listKey(exchange), cursor])
  }

  #lookKey(exchange: Exchange): string {
    return this.#keyOf(exchange, [...exchange.query].sort())
  }
}

/** A list of one owner with its filters, whatever the size of its pages. */
export function listKey({ operation, query, by }: Exchange): string {
  const { cursor, limit } = behaviour.lists[operation?.id ?? '']?.pages ?? {}
  const filters = [...query].filter(([name]) => name !== cursor && name !== limit)
  return JSON.stringify([issuerOf({ operation, by }), filters.sort()])
}

/** A list of one owner. */
function issuerOf({ operation, by }: Pick<Exchange, 'operation' | 'by'>): string {
  return `${operation?.id} ${by && nameOf(by)}`
}

/** A page and all before it, the first one first. */
export function walkTo(page: Page): Page[] {
  const pages = [page]
  for (let earlier = page.previous; earlier; earlier = earlier.previous) pages.unshift(earlier)
  return pages
}
