import { DecodeError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'

/** A page of a list (assumption `paging`). */
export interface Page {
  readonly data: unknown[]
  readonly next_cursor?: string | null
}

type Fetch = (query: object | undefined, options?: CallOptions) => Promise<unknown>

/**
 * A call that resolves to one page, and iterates over the records of this page and all following
 * pages.
 */
export function listOf(operation: Operation, fetch: Fetch): Fetch {
  return (query, options) => {
    const first = fetch(query, options)

    async function* records() {
      const cursors = new Set<string>()
      let page = await first
      while (true) {
        const { data, next_cursor: cursor } = page as Page
        if (!Array.isArray(data)) throw new DecodeError(operation, 'expected "data" to be an array')
        yield* data
        if (!cursor) return

        // It would loop forever.
        if (cursors.has(`${cursor}`)) {
          throw new DecodeError(operation, 'expected a new next_cursor, got a previous one')
        }
        cursors.add(`${cursor}`)
        page = await fetch({ ...query, cursor }, options)
      }
    }

    return Object.assign(first, { [Symbol.asyncIterator]: records })
  }
}
