import { isOnThisMachine } from '@partner-payments/contract'
import type { List } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { Bounded } from '../model/bounded.ts'

/** The page after another one, to which a response links. */
export interface LinkedPage {
  /** The cursor of the link in the form of the contract. */
  readonly cursor: string
  /** The query of the link, as it is sent: `cursor=10&limit=5`. */
  readonly query: string
}

/** A query in the form of the contract. */
type Query = Readonly<Record<string, string>>

/** So many links are remembered. */
const MAX_LINKS = 2_000
/** A link that is longer leads to no page. */
export const MAX_URL_LENGTH = 2_000

/** The parameter of a page in the contract. */
const CURSOR = 'cursor'
const LISTS = Object.values<List>(behaviour.lists)
/** The parameters of the contract that filter a list. */
const FILTERS: ReadonlySet<string> = new Set(
  LISTS.flatMap(({ filters = {} }) => Object.keys(filters)),
)
/** The parameters that a request for a first page may have: filters, and the limit. */
const FIRST_PAGE_PARAMETERS: ReadonlySet<string> = new Set([
  ...FILTERS,
  ...LISTS.flatMap(({ pages }) => (pages ? [pages.limit] : [])),
])

/**
 * Reads a link to the page after another one. Undefined if it leads to another host, or to another path than that of
 * the page, or to a first page: only this list itself is asked for pages, and a request for `?status=ATIVA` that a client
 * makes is judged by that filter, whatever page links to it.
 *
 * @param url Absolute or relative, such as `?cursor=10`.
 * @param path The path of the request for the page, without its query, below `baseUrl`.
 * @param baseUrl Where the service is.
 */
export function readLinkedPage(
  url: string,
  { path, baseUrl }: { readonly path: string; readonly baseUrl: string },
): LinkedPage | undefined {
  if (url.length > MAX_URL_LENGTH) return undefined

  const base = new URL(baseUrl)
  const root = base.pathname.replace(/\/$/, '')
  const page = new URL(root + path, base)
  const target = URL.parse(url, page.href)
  if (!target || !isSameHost(target, base)) return undefined

  // A gateway may have removed a prefix of the path, which the service then does not know.
  const paths = [page.pathname, new URL(path, base).pathname]
  if (!paths.includes(target.pathname) || isOfFirstPage(target.searchParams)) return undefined

  const query = target.search.slice(1)
  // A link without a cursor is known by all of its query, such as `page=2`.
  const cursor = target.searchParams.get(CURSOR) || sortQuery(target.searchParams)
  return { cursor, query }
}

/** Whether a query asks for the first page of a list: no parameter of it may name another one. */
function isOfFirstPage(query: URLSearchParams): boolean {
  for (const [name, value] of query) {
    const isEmptyCursor = name === CURSOR && value === ''
    if (!FIRST_PAGE_PARAMETERS.has(name) && !isEmptyCursor) return false
  }
  return true
}

/** Whether two URLs have the same host and port. The scheme may differ, since a gateway may have taken off TLS. */
function isSameHost(one: URL, other: URL): boolean {
  if (!/^https?:$/.test(one.protocol)) return false
  if (one.host === other.host) return true
  // A service on this machine has the same port under each of its names.
  const areOnThisMachine = isOnThisMachine(one.hostname) && isOnThisMachine(other.hostname)
  return areOnThisMachine && one.port === other.port
}

/**
 * The links to next pages that responses had. The request of such a page is that of the page before it with a cursor,
 * as in the contract: `{ tax_id: '…', limit: '5', cursor: 'page=2' }` for the linked `page=2`. So a link is followed as it
 * is, whatever its parameters are called, and the pages are those of one walk, unless the link adds a filter.
 */
export class LinkedPages {
  /** Linked queries by the query of the contract, and the other way round. */
  readonly #linkedQueries = new Bounded<string, string>(MAX_LINKS)
  readonly #contractQueries = new Bounded<string, Query>(MAX_LINKS)
  /** Linked queries without a parameter `cursor`, by what stands for their cursor. */
  readonly #queriesByCursor = new Bounded<string, string>(MAX_LINKS)

  /**
   * Remembers a link.
   *
   * @param query The query of the page that has the link, in the form of the contract.
   */
  note({ cursor, query: linkedQuery }: LinkedPage, query: Query): void {
    const contractQuery = { ...query, [CURSOR]: cursor }
    const linked = new URLSearchParams(linkedQuery)
    this.#linkedQueries.set(sortQuery(new URLSearchParams(contractQuery)), linkedQuery)
    // A filter that the link alone has is judged. Of one that the request had too, the link may change the notation.
    this.#contractQueries.set(sortQuery(linked), { ...readFilters(linked), ...contractQuery })
    if (!linked.has(CURSOR)) this.#queriesByCursor.set(cursor, linkedQuery)
  }

  /** Finds the linked query that a query of the contract stands for; undefined if no link does. */
  findLinkedQuery(query: Query): string | undefined {
    const linked = this.#linkedQueries.get(sortQuery(new URLSearchParams(query)))
    // The cursor of another list, or with another limit, which names no parameter of the service.
    return linked ?? this.#queriesByCursor.get(query[CURSOR] ?? '')
  }

  /** Finds the query of the contract that stands for a linked one; undefined if no page had such a link. */
  findContractQuery(query: URLSearchParams): Query | undefined {
    return this.#contractQueries.get(sortQuery(query))
  }
}

/** Reads the filters of a query: `{ status: 'ATIVA' }`. One without a value counts as absent. */
function readFilters(query: URLSearchParams): Query {
  const filters = [...query].filter(([name, value]) => FILTERS.has(name) && value !== '')
  return Object.fromEntries(filters)
}

/** A query as a text that is the same for all orders of its parameters. */
function sortQuery(query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return sorted.toString()
}
