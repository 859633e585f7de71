import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { withBase } from '../valid-requests.ts'

/** RFC 8259, section 4, calls it unpredictable; a parser that takes the first is one that a proxy can be played against. */
export const duplicateKeysLast: Rule = {
  id: 'duplicate-keys-last',
  phase: 'http',
  cites: { question: 'errors' },
  onlyIfAsked: true,
  title: 'Of a member that comes twice, the last counts, or the request is refused.',
  advice: 'Take the last, as nearly every parser does, or refuse the request.',
  run: (context) =>
    withBase(context, async (view, base) => {
      if (typeof base.body !== 'object') return
      const name = Object.entries(base.body ?? {}).find(([, value]) => typeof value === 'string')?.[0]
      if (name === undefined) return
      // The last of them is wrong, so the first must not have been taken.
      const input = await context.builder.refreshed(view, base, 'partner')
      if (!input) return context.inconclusive()
      const body = JSON.stringify(input.body).replace(/\}$/, `,${JSON.stringify(name)}:7}`)
      const exchange = await context.send(view, input, { raw: { body } })
      const message = `Expected a body to be refused whose second "${name}" is a number, got ${exchange.response.status}.`
      // What has to be unique was used by nobody: to be refused for it says that the first was taken, or nothing.
      if (exchange.response.status === 409) return context.inconclusive()
      expectRefusal(context, exchange, message)
    }),
}
