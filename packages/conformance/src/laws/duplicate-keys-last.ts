import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { isSuccess } from '../run/scene.ts'

/** RFC 8259, section 4, calls it unpredictable; a parser that takes the first is one that a proxy can be played against. */
export const duplicateKeysLast: Law = {
  id: 'duplicate-keys-last',
  phase: 'http',
  question: 'errors',
  title: 'Of a member that comes twice, the last counts, or the request is refused.',
  advice: 'Take the last, as nearly every parser does, or refuse the request.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (typeof base.body !== 'object') return
      const name = Object.entries(base.body ?? {}).find(([, value]) => typeof value === 'string')?.[0]
      if (name === undefined) return
      // The last of them is wrong, so the first must not have been taken.
      const body = JSON.stringify(base.body).replace(/\}$/, `,${JSON.stringify(name)}:7}`)
      const exchange = await scene.send(view, base, { raw: { body } })
      const message = `Expected the last "${name}" to count, which is wrong, got ${exchange.reply.status}.`
      scene.expect(exchange, isSuccess(exchange) ? message : undefined)
    }),
}
