import type { Rule } from '../../engine/rule.ts'
import { isOfTemplate, requestPath } from '../../model/paths.ts'
import { unknownPath } from '../records/missing-records.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** A service may support OPTIONS or not, but must not fail. */
const OPTIONS = 'OPTIONS'

export const methodNotAllowed: Rule = {
  id: 'method-not-allowed',
  phase: 'http',
  isTraffic: true,
  cites: { convention: 'refusals' },
  title: 'A method that a path does not support is refused with 405.',
  advice: 'Return 405 with allow.',
  run: async (context) => {
    const paths = [...new Set(context.contract.operations.map(({ path }) => path))]
    await context.each(paths, async (path) => {
      const { operations } = context.contract
      const view = operations.find((it) => it.path === path)
      if (!view || !context.isIncluded(view)) return
      const filled = requestPath(view, { path: unknownPath(view) })
      // A router that matches method and path finds /users/{id} if /users/me does not have the method.
      const views = operations.filter((it) => isOfTemplate(filled, it.path))
      const others = METHODS.filter((it) => !views.some((known) => known.method === it))
      const methods = context.target === 'live' ? others.filter((it) => it === 'PUT') : others
      const place = { operation: view.id, contract: view.pointer.slice(0, view.pointer.lastIndexOf('/')) }
      for (const method of methods) {
        const exchange = await context.send(undefined, {}, { raw: { method, path: filled } })
        const { status } = exchange.response
        const message = `Expected 405 for ${method}, got ${status}.`
        context.expect(exchange, status === 405 ? undefined : message, { ...place, about: method })
      }
      if (context.target === 'live') return
      const exchange = await context.send(undefined, {}, { raw: { method: OPTIONS, path: filled } })
      const failed = `Expected no server error for ${OPTIONS}, got ${exchange.response.status}.`
      context.expect(exchange, exchange.response.status >= 500 ? failed : undefined, {
        ...place,
        about: OPTIONS,
      })
    })
  },
}
