import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { nodeOf } from '../run/document.ts'
import type { Json } from '../schema/index.ts'

/** Breaks of one operation that are looked at: what names one member names the others. */
const LOOKED_AT = 12

export const breakRefusedWithPointer: Law = {
  id: 'break-refused-with-pointer',
  phase: 'twins',
  question: 'errors',
  title: 'A refusal for the form of a request names the member that is wrong, in `errors`.',
  advice: 'Name the member by a JSON pointer in `errors`.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined || !scene.contract.questions.has('errors')) return
      const breaks = scene.schemas
        .breaks(view.bodyPointer, base.body as Json)
        .filter(({ change }) => change.pointer !== '')
      await scene.each(breaks.slice(0, LOOKED_AT), async ({ body, change }) => {
        const exchange = await scene.send(view, { ...base, body })
        if (exchange.reply.status !== 400) return scene.masked()
        const errors = Object.values(nodeOf(nodeOf(exchange.body).errors)).map((it) =>
          String(nodeOf(it).pointer),
        )
        const isNamed = errors.some(
          (it) =>
            it === change.pointer || change.pointer.startsWith(`${it}/`) || it.startsWith(change.pointer),
        )
        const message = `Expected "${change.pointer}" to be named in errors, got ${errors.join(', ') || 'nothing'}.`
        scene.expect(exchange, isNamed ? undefined : message, { about: 'pointer' })
      })
    }),
}
