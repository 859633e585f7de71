import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import type { Contract } from '../../model/contract.ts'
import { pathOf } from '../../transport/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const slashTwinsApart: Law = {
  id: 'slash-twins-apart',
  phase: 'http',
  title: 'A path with a slash at its end is another path than the one without, whatever is asked of it.',
  advice: 'Route by the exact path, byte for byte.',
  run: async (scene) => {
    // Only where a slash tells two paths of the contract apart is it more than a matter of taste.
    if (!hasTwins(scene.contract)) return
    await withBase(scene, async (view, base) => {
      const isCareful = scene.target === 'live' && view.method !== 'GET'
      if (!/^(GET|POST)$/.test(view.method) || isCareful) return
      const twin = view.path.endsWith('/') ? view.path.slice(0, -1) : `${view.path}/`
      if (scene.contract.operations.some((it) => it.path === twin && it.method === view.method)) return
      const input = (await scene.maker.refreshed(view, base, 'partner')) ?? base
      const path = pathOf({ path: twin }, input)
      const exchange = await scene.send(
        undefined,
        { body: input.body },
        { raw: { method: view.method, path } },
      )
      const message = `Expected ${twin} not to answer as ${view.path} does, got ${exchange.reply.status}.`
      // Whether others are served too, the document does not say: a service may be lenient.
      scene.expect(exchange, isSuccess(exchange) ? message : undefined, {
        operation: view.id,
        contract: view.pointer,
        isAddition: true,
      })
    })
  },
}

function hasTwins({ operations }: Contract): boolean {
  const paths = new Set(operations.map(({ path }) => path))
  return [...paths].some((path) => paths.has(`${path}/`))
}
