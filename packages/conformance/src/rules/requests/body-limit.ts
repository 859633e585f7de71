import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { withBase } from '../valid-requests.ts'

/** A kilobyte more than the limit. */
const TOO_MUCH = 'x'.repeat(66_560)

/** What a body has room for besides. */
const MUCH = 'x'.repeat(60_000)

export const bodyLimit: Rule = {
  id: 'body-limit',
  phase: 'http',
  cites: { question: 'rate-limits' },
  onlyIfAsked: true,
  title: 'A body of more than 64 KB is answered 413, and no other.',
  advice: 'Limit the body, and answer 413 with problem details.',
  run: (context) =>
    withBase(context, async (view, base) => {
      if (view.bodyPointer === undefined || !view.statuses.includes('413')) return
      const exchange = await context.send(view, {
        ...base,
        body: { ...nodeOf(base.body), padding: TOO_MUCH },
      })
      const { status } = exchange.response
      context.expect(
        exchange,
        status === 413 ? undefined : `Expected 413 for a body of 65 KB, got ${status}.`,
      )
      const input = (await context.builder.refreshed(view, base, 'partner')) ?? base
      const most = await context.send(view, { ...input, body: { ...nodeOf(input.body), padding: MUCH } })
      const message = `Expected a body of less than 64 KB not to be too large, got 413.`
      context.expect(most, most.response.status === 413 ? message : undefined, { about: 'less' })
    }),
}
