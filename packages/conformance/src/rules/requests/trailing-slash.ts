import type { Rule } from '../../engine/rule.ts'
import type { Contract } from '../../model/contract.ts'
import { isSuccess, pathOf } from '../../model/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const trailingSlash: Rule = {
  id: 'trailing-slash',
  phase: 'http',
  cites: 'contract',
  title: 'A path with a slash at its end is another path than the one without, whatever is asked of it.',
  advice: 'Route by the exact path, byte for byte.',
  run: async (context) => {
    // Only where a slash tells two paths of the contract apart is it more than a matter of taste.
    if (!hasTwins(context.contract)) return
    await withBase(context, async (view, base) => {
      const isCareful = context.target === 'live' && view.method !== 'GET'
      if (!/^(GET|POST)$/.test(view.method) || isCareful) return
      const twin = view.path.endsWith('/') ? view.path.slice(0, -1) : `${view.path}/`
      if (context.contract.operations.some((it) => it.path === twin && it.method === view.method)) return
      const input = (await context.builder.refreshed(view, base, 'partner')) ?? base
      const path = pathOf({ path: twin }, input)
      const exchange = await context.send(
        undefined,
        { body: input.body },
        { raw: { method: view.method, path } },
      )
      const message = `Expected ${twin} not to answer as ${view.path} does, got ${exchange.response.status}.`
      // Whether others are served too, the document does not say: a service may be lenient.
      context.expect(exchange, isSuccess(exchange) ? message : undefined, {
        operation: view.id,
        contract: view.pointer,
        cites: { standard: 'RFC 3986, section 6.2' },
      })
    })
  },
}

function hasTwins({ operations }: Contract): boolean {
  const paths = new Set(operations.map(({ path }) => path))
  return [...paths].some((path) => paths.has(`${path}/`))
}
