import { type Call, withQuery } from './call.ts'
import { readEveryRecord } from './every-record.ts'
import { problem, remade } from './responses.ts'
import type { Next, Service } from './wrap.ts'

/** How a service leads from one page of its lists to the next one. */
export interface Linking {
  /**
   * `header`: a header Link. `body`: a URL in `links/next` of the body. `none`: nothing, although only a part is shown.
   */
  readonly by: 'header' | 'body' | 'none'
  /**
   * The parameter of the next page: `cursor` or `page` in the query that was sent, or `page_info` alone, which stands for
   * the filters too and is refused beside them.
   */
  readonly parameter?: 'cursor' | 'page' | 'page_info'
  /** Writes the target of a link, from the URL of the next page. Default: its path and query. */
  readonly write?: (url: URL) => string
  /** Whether the list is an array without an object around it. */
  readonly isBare?: boolean
  /** Whether a header says how many records there are. */
  readonly showsTotal?: boolean
  /** How many records the next page begins too late. */
  readonly skipped?: number
  /** Whether the page before the last one is not linked to it. */
  readonly isLastUnlinked?: boolean
}

const LISTS: ReadonlySet<string> = new Set(['listImmediateQrCodes', 'listDueDateQrCodes'])
const DEFAULT_LIMIT = 20

/** Where a page begins, how long it is, and what it selects. */
interface PageRequest {
  readonly from: number
  readonly limit: number
  readonly filters: Readonly<Record<string, string | null>>
}

/** A service whose lists show the newest record first, and lead to their next page by a link. */
export function linkedLists(linking: Linking): Service {
  /** What each value of `page_info` stands for. */
  const requests = new Map<string, PageRequest>()

  async function showPage(call: Call, next: Next): Promise<Response> {
    const request = readPageRequest(call, linking, requests)
    if (!request) return problem(400, 'invalid_request')

    // The sandbox refuses what is wrong with the request.
    const limit = call.url.searchParams.get('limit')
    const checked = await next(withQuery(call, { ...request.filters, limit, cursor: null }))
    if (!checked.ok) return checked

    // Without the parameters of this service, which the sandbox does not know.
    const otherParameters = { page: null, per_page: null, page_info: null }
    const listCall = withQuery(call, { ...request.filters, ...otherParameters })
    const records = await readEveryRecord(listCall, next)
    const end = request.from + request.limit
    const page = records.slice(request.from, end)
    const isNextLast = end + request.limit >= records.length
    const isLinked = end < records.length && !(linking.isLastUnlinked && isNextLast)
    const nextRequest = { ...request, from: end + (linking.skipped ?? 0) }
    const target = isLinked ? writeTarget(call, nextRequest, linking, requests) : undefined

    const body =
      linking.by === 'body'
        ? { data: page, links: { first: call.url.pathname, next: target ?? null } }
        : { data: page }
    return remade(checked, {
      body: JSON.stringify(linking.isBare ? page : body),
      headers: {
        ...(linking.showsTotal && { 'x-total-count': String(records.length) }),
        ...(linking.by === 'header' &&
          target !== undefined && { link: `<${target}>; rel="next"; title="a, b"` }),
      },
    })
  }

  return { operations: LISTS, wrap: showPage }
}

/** Reads what a request asks for; undefined if a `page_info` is unknown, or stands beside a filter. */
function readPageRequest(
  { url: { searchParams } }: Call,
  { parameter = 'cursor' }: Linking,
  requests: ReadonlyMap<string, PageRequest>,
): PageRequest | undefined {
  const filters = { tax_id: searchParams.get('tax_id'), status: searchParams.get('status') }
  const limit = Number(searchParams.get('limit') ?? DEFAULT_LIMIT)
  const value = searchParams.get(parameter)
  if (value === null) return { from: 0, limit, filters }

  switch (parameter) {
    case 'cursor':
      return /^\d+$/.test(value) ? { from: Number(value), limit, filters } : undefined
    case 'page':
      return { from: (Number(value) - 1) * limit, limit, filters }
    case 'page_info':
      return searchParams.size > 1 ? undefined : requests.get(value)
  }
}

/** Writes the link to a page. */
function writeTarget(
  call: Call,
  request: PageRequest,
  { parameter = 'cursor', write }: Linking,
  requests: Map<string, PageRequest>,
): string {
  const url = new URL(call.url)
  const { from, limit } = request
  if (parameter === 'cursor') url.searchParams.set('cursor', String(from))
  if (parameter === 'page') {
    url.searchParams.set('page', String(from / limit + 1))
    url.searchParams.set('per_page', String(limit))
  }
  if (parameter === 'page_info') {
    const token = crypto.randomUUID()
    requests.set(token, request)
    url.search = `page_info=${token}`
  }
  return write ? write(url) : url.pathname + url.search
}
