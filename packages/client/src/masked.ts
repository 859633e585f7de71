import { holders, names } from './generated/members.ts'
import { SHOWN } from './shown.ts'

/** What stands in place of a value, whatever it was: not even its length is told. */
const MASK = '***'

/** One short word, a date included: a sentence or an address is not what a name promises. */
const WORD = /^[\w.:+-]{0,64}$/

/** The headers that say nothing about anybody, and what each may look like: anyone may write anything there. */
const SHOWN_HEADERS = Object.entries({
  'content-type': /^[\w.+-]{1,64}\/[\w.+-]{1,64}(; ?charset=[\w-]{1,16})?$/,
  'retry-after': /^(\d{1,9}|\w{3}, [\w :]{1,26})$/,
  'x-request-id': WORD,
})

/** Levels that are looked into; the contract has five. */
const DEEPEST = 10

/**
 * A copy of a body in which only those values can be read that are known to be harmless. Masked are also the names
 * of members that the contract does not have, since a name may be a document, and all that is below them.
 */
export function masked(body: unknown): unknown {
  return maskedAt('data', body, 0)
}

function maskedAt(name: string, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return isHarmless(name, value) ? value : MASK
  if (!holders.has(name) || depth > DEEPEST) return MASK
  if (Array.isArray(value)) return value.map((item) => maskedAt(name, item, depth + 1))
  const members = Object.entries(value).map(([name, it]) => [
    names.has(name) ? name : MASK,
    maskedAt(name, it, depth + 1),
  ])
  return Object.fromEntries(members)
}

function isHarmless(name: string, value: unknown): boolean {
  return SHOWN.has(name) && (typeof value !== 'string' || WORD.test(value))
}

/** What names an answer, where it looks like a name. */
export function shownRequestId(value: unknown): string | undefined {
  return typeof value === 'string' && WORD.test(value) ? value : undefined
}

/** The headers that say nothing about anybody; without the others, not even their names. */
export function shownHeaders(read: (name: string) => string | null | undefined): Record<string, string> {
  const present = SHOWN_HEADERS.flatMap(([name, form]) => {
    const value = read(name)
    return value == null ? [] : [[name, form.test(value) ? value : MASK]]
  })
  return Object.fromEntries(present)
}

/** The query of a URL, masked as a body is; absent without one. */
export function maskedQuery(url: string): unknown {
  const { searchParams } = new URL(url)
  return searchParams.size > 0 ? masked(Object.fromEntries(searchParams)) : undefined
}
