import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { withValidRequests } from '../common/valid-requests.ts'
import { UNKNOWN_ID } from '../records/missing-records.ts'

/** Ids that break number parsers, path handling, SQL statements and stores. */
const INVALID = ['x', '0', 'not-an-id', '%00', '..%2f..', "'", 'a'.repeat(2_000), UNKNOWN_ID, '{}', '💰']

export const invalidIdsRefused: Rule = {
  id: 'invalid-ids-refused',
  phase: 'http',
  cites: { convention: 'refusals' },
  isTraffic: true,
  title: 'A request with an unknown or malformed id is refused with 404 or 400.',
  advice: 'Treat an id as a string, look it up, and return 404.',
  run: (context) =>
    withValidRequests(context, async (view, valid) => {
      const own = (await context.builder.refreshed(view, valid, 'partner')) ?? valid
      for (const { name } of view.pathParameters) {
        await context.each([...INVALID, ...similarIds(own.path?.[name] ?? '')], async (id) => {
          const exchange = await context.send(view, { ...valid, path: { ...valid.path, [name]: id } })
          const { status } = exchange.response
          // A mock has no records.
          if (context.target === 'mock' && isSuccess(exchange)) return context.inconclusive()
          // A 5xx is a finding of no-server-error.
          if (status >= 500) return context.skipped(exchange)
          const message = `Expected 404 for an unknown id, got ${status}.`
          expectRefusal(context, exchange, message, { also: [404] })
        })
      }
    }),
}

/** Ids that a loose comparison takes for the given one. */
function similarIds(id: string): string[] {
  const prefix = id.length > 16 ? [id.slice(0, 8)] : []
  return [`${id} `, ` ${id}`, `${id}x`, ...prefix]
}
