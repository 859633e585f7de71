import { DecodeError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'

/** A page of a list; its form is an assumption to the open question `paging`. */
interface Page {
  readonly data: unknown[]
  readonly next_cursor?: string | null
}

type Fetch = (query: object | undefined, options?: CallOptions) => Promise<unknown>

/** A call that gives one page, and is iterated over the records of this page and of those that follow. */
export function listOf(operation: Operation, fetch: Fetch): Fetch {
  return (query, options) => {
    const first = fetch(query, options)
    const after = (cursor: string) => fetch({ ...query, cursor }, options)
    const records = () => recordsFrom(operation, first, after)
    return Object.assign(first, { [Symbol.asyncIterator]: records })
  }
}

/** A cursor that comes back would go on for ever, and is refused. */
async function* recordsFrom(
  operation: Operation,
  first: Promise<unknown>,
  after: (cursor: string) => Promise<unknown>,
): AsyncGenerator<unknown> {
  const seen = new Set<string>()
  for (let page = await first; ; ) {
    const { data, next_cursor: cursor } = page as Page
    if (!Array.isArray(data)) throw new DecodeError(operation, 'expected "data" to be an array')
    yield* data
    if (!cursor) return
    if (seen.has(`${cursor}`))
      throw new DecodeError(operation, 'expected a new next_cursor, got one that was sent before')
    seen.add(`${cursor}`)
    page = await after(cursor)
  }
}
