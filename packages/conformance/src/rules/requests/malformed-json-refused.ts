import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { withBase } from '../valid-requests.ts'

const BODIES = ['{', '{"a":}', 'nonsense', '\u0000']

export const malformedJsonRefused: Rule = {
  id: 'malformed-json-refused',
  phase: 'http',
  isTraffic: true,
  cites: { question: 'errors' },
  title: 'A body that is no JSON is answered 400.',
  advice: 'Answer 400 with problem details when the body cannot be parsed.',
  run: (context) =>
    withBase(context, async (view, base) => {
      if (view.bodyPointer === undefined) return
      // Which refusal it is, 422 perhaps, is an answer of ours.
      const isExact = context.contract.questions.has('errors')
      await context.each([...BODIES, ...nearlyJson(JSON.stringify(base.body))], async (body) => {
        const exchange = await context.send(view, base, { raw: { body } })
        const { status } = exchange.response
        context.expect(
          exchange,
          status === 400 || (!isExact && isRefusal(exchange))
            ? undefined
            : `Expected 400 for a body that is no JSON, got ${status}.`,
          { about: String(status) },
        )
      })
    }),
}

/** What lenient parsers take for an accepted body: none of it is JSON (RFC 8259, section 2). */
function nearlyJson(json: string): string[] {
  const open = json.slice(0, -1)
  return [open, `${open},}`, `${json}}`, `${json} x`, `/* a */${json}`, json.replaceAll('"', "'")]
}
