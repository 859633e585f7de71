import { isRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { pathOf } from '../../transport/exchange.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** What no other law sends; whether it is taken, everybody may choose, but not to fail over it. */
const ASKING = 'OPTIONS'

export const methodNotAllowed: Law = {
  id: 'method-not-allowed',
  phase: 'http',
  isTraffic: true,
  question: 'errors',
  title: 'Every method that a path does not take is answered 405.',
  advice: 'Answer 405 with allow.',
  run: async (scene) => {
    const paths = [...new Set(scene.contract.operations.map(({ path }) => path))]
    await scene.each(paths, async (path) => {
      const views = scene.contract.operations.filter((it) => it.path === path)
      const [view] = views
      if (!view || !scene.isAsked(view)) return
      const others = METHODS.filter((it) => !views.some((known) => known.method === it))
      const methods = scene.target === 'live' ? others.filter((it) => it === 'PUT') : others
      const filled = pathOf(view, {
        path: Object.fromEntries(view.pathParameters.map(({ name }) => [name, UNKNOWN])),
      })
      const place = { operation: view.id, contract: view.pointer.slice(0, view.pointer.lastIndexOf('/')) }
      for (const method of methods) {
        const exchange = await scene.send(undefined, {}, { raw: { method, path: filled } })
        const { status } = exchange.reply
        const message = `Expected 405 for ${method}, got ${status}.`
        // Where nothing is said of it, such a request means nothing that is there.
        const isTolerated = !scene.contract.questions.has('errors') && isRefusal(exchange, [401, 404])
        const isRight = status === 405 || isTolerated
        scene.expect(exchange, isRight ? undefined : message, { ...place, about: method })
      }
      if (scene.target === 'live') return
      const asked = await scene.send(undefined, {}, { raw: { method: ASKING, path: filled } })
      const failed = `Expected an answer to ${ASKING}, got ${asked.reply.status}.`
      scene.expect(asked, asked.reply.status >= 500 ? failed : undefined, { ...place, about: ASKING })
    })
  },
}

/** An id of the form that ids have, of nothing. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
