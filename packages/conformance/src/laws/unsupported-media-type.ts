import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'

export const unsupportedMediaType: Law = {
  id: 'unsupported-media-type',
  phase: 'http',
  question: 'errors',
  title: 'A body of another media type than the contract declares is answered 415.',
  advice: 'Answer 415 before reading the body.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      await scene.each(
        ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'],
        async (type) => {
          const exchange = await scene.send(view, base, { headers: { 'content-type': type } })
          const { status } = exchange.reply
          scene.expect(exchange, status === 415 ? undefined : `Expected 415 for ${type}, got ${status}.`, {
            about: String(status),
          })
        },
      )
    }),
}
