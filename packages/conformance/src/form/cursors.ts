import { behaviour } from '../contract/behaviour.ts'
import { listFirstLeaves, withValue } from '../contract/json.ts'

/**
 * Reads the cursor in a value: a string, a number, or the parameter `cursor` of a URL, such as `/list?cursor=c2`.
 * Undefined for any other value, an empty string, and a URL without it.
 */
export function readCursor(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return undefined

  const isUrl = /^(https?:|\/|\?)/.test(value)
  if (!isUrl) return value

  // What a service sends as a URL may be none, such as `//`.
  const base = 'http://service.example'
  if (!URL.canParse(value, base)) return undefined
  return new URL(value, base).searchParams.get('cursor') ?? undefined
}

/**
 * Lists the values of a page that may be its cursor, with their pointers: `[['/next', 'c_2'], …]`; at most
 * the first 1,000.
 */
export function listCursorCandidates(list: string, body: unknown): readonly [string, string][] {
  const declared = behaviour.lists[list]
  if (!declared) return []

  // The fields of a record are no cursor: `declared.items` is the pointer of the records, such as `/data`.
  const withoutRecords = withValue(body, declared.items, undefined)
  const isCandidate = (value: unknown) => readCursor(value) !== undefined
  const leaves = listFirstLeaves(withoutRecords, MAX_CANDIDATES, isCandidate)
  return leaves.map(([pointer, value]) => [pointer, readCursor(value) ?? ''])
}

/** A page has few values beside its records. All of one with 100,000 took seconds to remember. */
const MAX_CANDIDATES = 1_000

/** Whether a page goes on after another one: its last record is new, whatever it repeats. */
export function isNextPage(ids: readonly unknown[], nextIds: readonly unknown[]): boolean {
  const last = nextIds.at(-1)
  return last !== undefined && !ids.includes(last)
}
