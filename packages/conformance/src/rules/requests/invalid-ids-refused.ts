import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { refusesAbsent } from '../records/missing-records.ts'
import { withBase } from '../valid-requests.ts'

const ODD = [
  'x',
  '0',
  'not-an-id',
  '%00',
  '..%2f..',
  "'",
  'a'.repeat(2_000),
  '00000000-0000-4000-8000-000000000000',
  '{}',
  '💰',
]

export const invalidIdsRefused: Rule = {
  id: 'invalid-ids-refused',
  phase: 'http',
  cites: { convention: 'refusals' },
  isTraffic: true,
  title: 'An id that is nobody’s, whatever it looks like, is refused with 404 or 400.',
  advice: 'Take an id for text, look it up, and answer 404.',
  run: (context) =>
    withBase(context, async (view, base) => {
      // Spaces around an id may be cut off where nothing is said of them.
      const isExact = context.contract.conventions.refusals?.question !== undefined
      if (!refusesAbsent(context.contract, view)) return
      const own = (await context.builder.refreshed(view, base, 'partner')) ?? base
      for (const { name } of view.pathParameters) {
        const nearlyOwn = isExact ? nearly(own.path?.[name] ?? '') : []
        await context.each([...ODD, ...nearlyOwn], async (id) => {
          const exchange = await context.send(view, { ...base, path: { ...base.path, [name]: id } })
          const { status } = exchange.response
          // A mock knows of no ids.
          if (context.target === 'mock' && isSuccess(exchange)) return context.inconclusive()
          // A failure of the service is told by the rule of failures.
          if (status >= 500) return context.skipped(exchange)
          const message = `Expected 404 for an id that is nobody's, got ${status}.`
          expectRefusal(context, exchange, message, { also: [404] })
        })
      }
    }),
}

/** What a loose comparison takes for an id. */
function nearly(id: string): string[] {
  const beginning = id.length > 16 ? [id.slice(0, 8)] : []
  return [`${id} `, ` ${id}`, `${id}x`, ...beginning]
}
