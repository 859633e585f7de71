import type { Law } from '../law.ts'
import type { Contract } from '../run/contract.ts'
import { pathOf } from '../run/exchange.ts'
import { isSuccess } from '../run/scene.ts'

export const slashTwinsApart: Law = {
  id: 'slash-twins-apart',
  phase: 'http',
  title: 'A path with a slash at its end is another path than the one without.',
  advice: 'Route by the exact path, byte for byte.',
  run: async (scene) => {
    // Only where a slash tells two paths of the contract apart is it more than a matter of taste.
    if (!hasTwins(scene.contract)) return
    const views = scene.contract.operations.filter(
      (it) => it.method === 'GET' && it.pathParameters.length === 0,
    )
    await scene.each(
      views.filter((view) => scene.isAsked(view)),
      async (view) => {
        const twin = view.path.endsWith('/') ? view.path.slice(0, -1) : `${view.path}/`
        const isKnown = scene.contract.operations.some((it) => it.path === twin && it.method === 'GET')
        if (isKnown) return
        if (!isSuccess(await scene.send(view, {}))) return scene.masked()
        const exchange = await scene.send(
          undefined,
          {},
          { raw: { method: 'GET', path: pathOf({ path: twin }, {}) } },
        )
        const message = `Expected ${twin} not to answer as ${view.path} does, got ${exchange.reply.status}.`
        // Whether others are served too, the document does not say: a service may be lenient.
        scene.expect(exchange, isSuccess(exchange) ? message : undefined, {
          operation: view.id,
          contract: view.pointer,
          isAddition: true,
        })
      },
    )
  },
}

function hasTwins({ operations }: Contract): boolean {
  const paths = new Set(operations.map(({ path }) => path))
  return [...paths].some((path) => paths.has(`${path}/`))
}
