import { behaviour } from '../contract/behaviour.ts'
import { listFirstLeaves, withValue } from '../contract/json.ts'
import { type LinkedPage, MAX_URL_LENGTH } from './linked-pages.ts'

/** Reads a URL to another page of the same list; undefined if it leads elsewhere. */
export type ReadLink = (url: string) => LinkedPage | undefined

/**
 * Reads the cursor in a value: a string, a number, or a URL. A URL to another page of the same list stands for what
 * `readLink` reads of it, any other one for its parameter `cursor`: `c2` for `/list?cursor=c2`. Undefined for any other
 * value, an empty string, and a URL without that parameter.
 */
export function readCursor(value: unknown, readLink: ReadLink): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return undefined
  if (!isUrl(value)) return value
  if (value.length > MAX_URL_LENGTH) return undefined

  const linkedPage = readLink(value)
  if (linkedPage) return linkedPage.cursor

  // What a service sends as a URL may be none, such as `//`.
  const base = 'http://service.example'
  if (!URL.canParse(value, base)) return undefined
  return new URL(value, base).searchParams.get('cursor') ?? undefined
}

/** Whether a text is written as a URL, such as `https://service.example/list?page=2` or `?page=2`. */
export function isUrl(text: string): boolean {
  return /^(https?:|\/|\?)/.test(text)
}

/**
 * Lists the values of a page that may be its cursor, with their pointers: `[['/next', 'c_2'], …]`; at most
 * the first 1,000. Those whose names say so come first.
 */
export function listCursorCandidates(
  list: string,
  body: unknown,
  readLink: ReadLink,
): readonly [string, string][] {
  const declared = behaviour.lists[list]
  if (!declared) return []

  // The fields of a record are no cursor: `declared.items` is the pointer of the records, such as `/data`.
  const withoutRecords = withValue(body, declared.items, undefined)
  let urls = 0
  const isCandidate = (value: unknown) => {
    const isOfUrl = typeof value === 'string' && isUrl(value)
    if (isOfUrl) urls++
    if (isOfUrl && urls > MAX_URLS) return false
    return readCursor(value, readLink) !== undefined
  }
  const leaves = listFirstLeaves(withoutRecords, MAX_CANDIDATES, isCandidate)
  const candidates = leaves.filter(([pointer]) => !OTHER_PAGE.test(pointer))
  const isNamed = ([pointer]: (typeof leaves)[number]) => NEXT_PAGE.test(pointer)
  const namedFirst = [
    ...candidates.filter(isNamed),
    ...candidates.filter((candidate) => !isNamed(candidate)),
  ]
  return namedFirst.map(([pointer, value]) => [pointer, readCursor(value, readLink) ?? ''])
}

/**
 * The names of what leads to another page than the next one, such as `last`, `lastPageUrl` or `self/href`. The last page
 * would leave out all pages between.
 */
const OTHER_PAGE = /\/(self|first|last|prev|previous|current)(_?page)?(_?(url|link))?(\/href)?$/i
const NEXT_PAGE = /next/i

/** A page has few values beside its records. All of one with 100,000 took seconds to remember. */
const MAX_CANDIDATES = 1_000
/** So many URLs of a page are read, whether they are candidates or not. Each one takes longer than any other value. */
const MAX_URLS = 30

/** Whether a page goes on after another one: its last record is new, whatever it repeats. */
export function isNextPage(ids: readonly unknown[], nextIds: readonly unknown[]): boolean {
  const last = nextIds.at(-1)
  return last !== undefined && !ids.includes(last)
}
