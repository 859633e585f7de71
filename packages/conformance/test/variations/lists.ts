import { type Call, withHeaders, withQuery } from '../services/call.ts'
import type { Json } from '../services/json.ts'
import { withJson } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import type { Next } from '../services/wrap.ts'
import { following } from './kit.ts'
import type { Service } from './service.ts'

/** How the lists of dynamic QR codes differ. */
interface Listing {
  readonly oldestFirst?: boolean
  /** Default page size. */
  readonly size?: number
  /** The maximum page size; a larger limit is reduced to it. Without it, a larger limit is refused. */
  readonly max?: number
  readonly envelope?: (page: Page) => unknown
  /** Another representation of a record, or [] to hide it. Filters apply to the representation. */
  readonly show?: (record: Json, sandbox: TestSandbox) => readonly Json[]
  /** Replaces the equality of filters, whose values are then not validated. */
  readonly matches?: (record: Json, asked: URLSearchParams) => boolean
  /** Further owners whose records are listed. */
  readonly others?: (call: Call, sandbox: TestSandbox) => Promise<readonly string[]>
  /** Whether the cursor is a page number. */
  readonly numbered?: boolean
  /** Whether an invalid cursor starts at the beginning. */
  readonly forgiving?: boolean
}

export interface Page {
  readonly items: readonly Json[]
  readonly next: string | null
  readonly number: number
  readonly total: number
}

/** Replaces the pages of the lists of dynamic QR codes, built from all records. */
export function lists(listing: Listing): Service {
  return {
    wrap: (sandbox) => async (call, next) => {
      if (!/^list(DueDate|Immediate)QrCodes$/.test(String(call.operation))) return next(call)
      const first = await next(judged(call, listing))
      if (!first.ok) return first
      const page = cut(await allOf(call, next, sandbox, listing), call.url.searchParams, listing)
      if (!page) return next(withQuery(call, 'cursor', 'none'))
      return withJson(first, listing.envelope?.(page) ?? { data: page.items, next_cursor: page.next })
    },
  }
}

/** The part of the call that the service validates. A limit that is not a number is still refused. */
function judged(call: Call, { max, matches }: Listing): Call {
  const isNumber = /^[1-9]\d*$/.test(call.url.searchParams.get('limit') ?? '')
  const own = [...(max && isNumber ? ['limit'] : []), ...(matches ? ['status', 'tax_id'] : [])]
  return ['cursor', ...own].reduce((it, name) => withQuery(it, name, null), call)
}

async function allOf(call: Call, next: Next, sandbox: TestSandbox, listing: Listing): Promise<Json[]> {
  const all = await everyRecord(call, next)
  for (const authorization of (await listing.others?.(call, sandbox)) ?? [])
    all.push(...(await everyRecord(withHeaders(call, { authorization }), next)))
  if (listing.others) all.sort((a, b) => String(b.created_at).localeCompare(String(a.created_at)))
  const ordered = listing.oldestFirst ? all.reverse() : all
  return ordered.flatMap((it) => listing.show?.(it, sandbox) ?? it)
}

/** All records of a caller on a list path, newest first. */
async function everyRecord(call: Call, next: Next): Promise<Json[]> {
  const path = call.url.pathname.replace(/^\/mobile-bff\/v1(.*\/(?:due-date|immediate)).*$/, '$1')
  const all: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await next(following(call, 'GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`))
    const page: { data: Json[]; next_cursor: string | null } = JSON.parse(await response.text())
    all.push(...page.data)
    cursor = page.next_cursor
  }
  return all
}

function cut(all: readonly Json[], asked: URLSearchParams, listing: Listing): Page | undefined {
  const { size = 20, max = 100, matches = equal, numbered = false, forgiving = false } = listing
  const limit = Math.min(Number(asked.get('limit') ?? size), max)
  const cursor = asked.get('cursor')
  const found = all.filter((it) => matches(it, asked))
  const number = numbered ? Number(cursor ?? 1) : 1
  const last = numbered ? undefined : all.findIndex(({ id }) => cursorOf(id) === cursor)
  if (!(number >= 1) || (last === -1 && cursor !== null && !forgiving)) return undefined
  // Records that are created meanwhile must not move others to the next page.
  const seen = last === undefined ? (number - 1) * limit : found.findIndex((it) => all.indexOf(it) > last)
  const rest = seen < 0 ? [] : found.slice(seen)
  const items = rest.slice(0, limit)
  const next = numbered ? String(number + 1) : cursorOf(items.at(-1)?.id)
  return { items, next: rest.length > limit ? next : null, number, total: found.length }
}

function cursorOf(id: unknown): string {
  return Buffer.from(`after ${id}`).toString('base64url')
}

/** Filters by equality; the status may have another representation. */
function equal({ status, payer }: Json, asked: URLSearchParams, form = (it: string | null) => it): boolean {
  const { tax_id } = (payer ?? {}) as Json
  return (form(asked.get('status')) ?? status) === status && (asked.get('tax_id') ?? tax_id) === tax_id
}
