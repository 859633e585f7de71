import type { Rule } from '../../engine/rule.ts'
import type { Contract } from '../../model/contract.ts'
import { isSuccess } from '../../model/exchange.ts'
import { requestPath } from '../../model/paths.ts'
import { withValidRequests } from '../common/valid-requests.ts'

export const trailingSlash: Rule = {
  id: 'trailing-slash',
  phase: 'http',
  cites: 'contract',
  title: 'A path with a trailing slash is not served where the contract declares only the path without it.',
  advice: 'Match the exact path.',
  run: async (context) => {
    // The slash matters only if two paths of the contract differ by it.
    if (!hasPathPair(context.contract)) return
    await withValidRequests(context, async (view, valid) => {
      const isUnsafe = context.target === 'live' && view.method !== 'GET'
      if (!/^(GET|POST)$/.test(view.method) || isUnsafe) return
      const other = view.path.endsWith('/') ? view.path.slice(0, -1) : `${view.path}/`
      const { operations } = context.contract
      if (operations.some((it) => it.path === other && it.method === view.method)) return
      const input = (await context.builder.refreshed(view, valid, 'partner')) ?? valid
      const path = requestPath({ path: other }, input)
      const exchange = await context.send(
        undefined,
        { body: input.body },
        { raw: { method: view.method, path } },
      )
      const message = `Expected ${other} not to be served as ${view.path} is, got ${exchange.response.status}.`
      // The source document does not forbid further paths, so this is a deviation.
      context.expect(exchange, isSuccess(exchange) ? message : undefined, {
        operation: view.id,
        contract: view.pointer,
        cites: { standard: 'RFC 3986, section 6.2' },
      })
    })
  },
}

function hasPathPair({ operations }: Contract): boolean {
  const paths = new Set(operations.map(({ path }) => path))
  return [...paths].some((path) => paths.has(`${path}/`))
}
