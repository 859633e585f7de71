import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import type { OperationView } from '../run/contract.ts'
import type { Input } from '../run/exchange.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const unsupportedMediaType: Law = {
  id: 'unsupported-media-type',
  phase: 'http',
  question: 'errors',
  title: 'A body of another media type than the contract declares is answered 415.',
  advice: 'Answer 415 before reading the body.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      const named = await scene.send(view, await fresh(scene, view, base), {
        headers: { 'content-type': 'application/json; charset=utf-8' },
      })
      // A parameter does not make it another media type (RFC 9110, section 8.3.1).
      const message = 'Expected a charset to be accepted beside application/json, got 415.'
      if (isSuccess(named)) scene.held()
      else if (named.reply.status !== 415) scene.masked()
      else scene.expect(named, message, { about: 'charset' })
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

async function fresh(scene: Scene, view: OperationView, base: Input): Promise<Input> {
  return (await scene.maker.refreshed(view, base, 'partner')) ?? base
}
