import { type Call, withHeaders, withQuery } from '../faulty/call.ts'
import type { Json } from '../faulty/json.ts'
import { withJson } from '../faulty/reply.ts'
import type { World } from '../faulty/world.ts'
import type { Next } from '../faulty/wrap.ts'
import { following } from './kit.ts'
import type { Service } from './service.ts'

/** How the lists of dynamic QR codes differ. */
export interface Listing {
  readonly oldestFirst?: boolean
  /** Records on a page where no limit is given. */
  readonly size?: number
  /** The largest page; a larger limit means this. Without it, such a limit is refused. */
  readonly max?: number
  readonly envelope?: (page: Page) => unknown
  /** Another form of a record, and none where it is hidden. Filters are by what is shown. */
  readonly show?: (record: Json, world: World) => readonly Json[]
  /** Filters in place of equality; what they ask for is not refused. */
  readonly matches?: (record: Json, asked: URLSearchParams) => boolean
  /** Others whose records are listed too. */
  readonly others?: (call: Call, world: World) => Promise<readonly string[]>
  /** Whether the cursor is the number of a page. */
  readonly numbered?: boolean
  /** Whether a cursor that is none begins anew. */
  readonly forgiving?: boolean
}

export interface Page {
  readonly items: readonly Json[]
  readonly next: string | null
  readonly number: number
  readonly total: number
}

/** Cuts the lists of dynamic QR codes in another way, from all records that there are. */
export function lists(listing: Listing): Service {
  return {
    wrap: (world) => async (call, next) => {
      if (!/^list(DueDate|Immediate)QrCodes$/.test(String(call.operation))) return next(call)
      const first = await next(judged(call, listing))
      if (!first.ok) return first
      const page = cut(await allOf(call, next, world, listing), call.url.searchParams, listing)
      if (!page) return next(withQuery(call, 'cursor', 'none'))
      return withJson(first, listing.envelope?.(page) ?? { data: page.items, next_cursor: page.next })
    },
  }
}

/** The part of the call that the service itself has to accept. A limit that is no number is refused as ever. */
function judged(call: Call, { max, matches }: Listing): Call {
  const isNumber = /^[1-9]\d*$/.test(call.url.searchParams.get('limit') ?? '')
  const own = [...(max && isNumber ? ['limit'] : []), ...(matches ? ['status', 'tax_id'] : [])]
  return ['cursor', ...own].reduce((it, name) => withQuery(it, name, null), call)
}

async function allOf(call: Call, next: Next, world: World, listing: Listing): Promise<Json[]> {
  const all = await everyRecord(call, next)
  for (const authorization of (await listing.others?.(call, world)) ?? [])
    all.push(...(await everyRecord(withHeaders(call, { authorization }), next)))
  if (listing.others) all.sort((a, b) => String(b.created_at).localeCompare(String(a.created_at)))
  const ordered = listing.oldestFirst ? all.reverse() : all
  return ordered.flatMap((it) => listing.show?.(it, world) ?? it)
}

/** Every record of a caller that a path lists, newest first. */
export async function everyRecord(call: Call, next: Next): Promise<Json[]> {
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
  // What was created meanwhile moves no record to the next page.
  const seen = last === undefined ? (number - 1) * limit : found.findIndex((it) => all.indexOf(it) > last)
  const rest = seen < 0 ? [] : found.slice(seen)
  const items = rest.slice(0, limit)
  const next = numbered ? String(number + 1) : cursorOf(items.at(-1)?.id)
  return { items, next: rest.length > limit ? next : null, number, total: found.length }
}

export function cursorOf(id: unknown): string {
  return Buffer.from(`after ${id}`).toString('base64url')
}

/** Filters by equality, of a status that may be written in another form. */
export function equal(
  { status, payer }: Json,
  asked: URLSearchParams,
  form = (it: string | null) => it,
): boolean {
  const { tax_id } = (payer ?? {}) as Json
  return (form(asked.get('status')) ?? status) === status && (asked.get('tax_id') ?? tax_id) === tax_id
}
