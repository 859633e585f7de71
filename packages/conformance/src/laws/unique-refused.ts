import type { Law } from '../law.ts'
import { nodeOf, valueAt } from '../run/document.ts'
import { isSuccess } from '../run/scene.ts'

/** What the examples of a 409 name, and the caller chooses: a second request with it is refused, also at once. */
export const uniqueRefused: Law = {
  id: 'unique-refused',
  phase: 'lifecycles',
  question: 'tx-id-form',
  stateful: true,
  title: 'A value that has to be unique is refused the second time, and one of many at once is accepted.',
  advice: 'Let the store keep it unique, in the transaction that writes the record.',
  run: async (scene) => {
    const views = scene.contract.operations.filter(
      (it) => it.usedOnce.length > 0 && it.method === 'POST' && scene.isAsked(it),
    )
    const creations = views.filter((it) =>
      it.usedOnce.every((pointer) => !isGiven(scene.contract.links, it.id, pointer)),
    )
    await scene.each(creations, async (view) => {
      const created = await scene.accepted(view.id)
      if (!created) return scene.masked()
      const again = await scene.send(view, created.input)
      scene.expect(
        again,
        again.reply.status === 409 ? undefined : `Expected 409 the second time, got ${again.reply.status}.`,
      )
      const input = await scene.maker.inputOf(view, { who: 'partner' })
      if (!input) return
      const all = await Promise.all(Array.from({ length: 6 }, () => scene.send(view, input)))
      const count = all.filter(isSuccess).length
      const [first] = all
      if (first)
        scene.expect(
          first,
          count === 1 ? undefined : `Expected 1 of 6 at once to be accepted, got ${count}.`,
          { about: 'at once' },
        )
    })
  },
}

function isGiven(links: readonly { to: string; body: unknown }[], id: string, pointer: string): boolean {
  return links.some(({ to, body }) => to === id && valueAt(nodeOf(body), pointer) !== undefined)
}
