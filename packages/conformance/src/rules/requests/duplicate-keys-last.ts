import { expectRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { withBase } from '../valid-requests.ts'

/** RFC 8259, section 4, calls it unpredictable; a parser that takes the first is one that a proxy can be played against. */
export const duplicateKeysLast: Law = {
  id: 'duplicate-keys-last',
  phase: 'http',
  question: 'errors',
  isOurs: true,
  title: 'Of a member that comes twice, the last counts, or the request is refused.',
  advice: 'Take the last, as nearly every parser does, or refuse the request.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (typeof base.body !== 'object') return
      const name = Object.entries(base.body ?? {}).find(([, value]) => typeof value === 'string')?.[0]
      if (name === undefined) return
      // The last of them is wrong, so the first must not have been taken.
      const input = await scene.maker.refreshed(view, base, 'partner')
      if (!input) return scene.masked()
      const body = JSON.stringify(input.body).replace(/\}$/, `,${JSON.stringify(name)}:7}`)
      const exchange = await scene.send(view, input, { raw: { body } })
      const message = `Expected a body to be refused whose second "${name}" is a number, got ${exchange.reply.status}.`
      // What has to be unique was used by nobody: to be refused for it says that the first was taken, or nothing.
      if (exchange.reply.status === 409) return scene.masked()
      expectRefusal(scene, exchange, message)
    }),
}
