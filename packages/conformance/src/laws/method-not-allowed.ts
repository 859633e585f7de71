import type { Law } from '../law.ts'
import { pathOf } from '../run/exchange.ts'
import { isRefusal } from '../run/refusal.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const methodNotAllowed: Law = {
  id: 'method-not-allowed',
  phase: 'http',
  isTraffic: true,
  question: 'errors',
  title: 'A method that a path does not take is answered 405.',
  advice: 'Answer 405 with allow.',
  run: async (scene) => {
    const paths = [...new Set(scene.contract.operations.map(({ path }) => path))]
    await scene.each(paths, async (path) => {
      const views = scene.contract.operations.filter((it) => it.path === path)
      const [view] = views
      const method = METHODS.find((it) => !views.some((known) => known.method === it))
      if (!view || !method || !scene.isAsked(view) || (scene.target === 'live' && method !== 'PUT')) return
      const filled = pathOf(view, {
        path: Object.fromEntries(view.pathParameters.map(({ name }) => [name, UNKNOWN])),
      })
      const exchange = await scene.send(undefined, {}, { raw: { method, path: filled } })
      const { status } = exchange.reply
      const place = { operation: view.id, contract: view.pointer.slice(0, view.pointer.lastIndexOf('/')) }
      // Where nothing is said of it, such a request means nothing that is there.
      const isTolerated = !scene.contract.questions.has('errors') && isRefusal(exchange, [401, 404])
      if (status !== 405 && !isTolerated)
        return void scene.expect(exchange, `Expected 405 for ${method}, got ${status}.`, {
          ...place,
          about: 'status',
        })
      scene.held()
    })
  },
}

/** An id of the form that ids have, of nothing. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
