import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { type Input, isSuccess } from '../../model/exchange.ts'
import { headerOf } from '../../model/http.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { withValidRequests } from '../common/valid-requests.ts'
import { unknownPath } from '../records/missing-records.ts'

export const headEqualsGet: Rule = {
  id: 'head-equals-get',
  phase: 'http',
  cites: { standard: 'RFC 9110, section 9.3.2' },
  isTraffic: true,
  title:
    'HEAD returns the status and headers of GET without a body, and is refused where GET is (RFC 9110, section 9.3.2).',
  advice: 'Handle HEAD as GET, and leave out the body.',
  run: (context) =>
    withValidRequests(context, async (view, valid) => {
      // A mock serves only what the contract declares, and it declares no HEAD.
      if (view.method !== 'GET' || context.target === 'mock') return
      const shown = await context.send(view, valid)
      if (!isSuccess(shown)) return context.inconclusive()
      const exchange = await context.send(view, valid, { raw: { method: 'HEAD' } })
      const { status, text, headers } = exchange.response
      const types = [shown.response.headers, headers].map((it) => headerOf(it, 'content-type'))
      const message =
        status !== shown.response.status
          ? `Expected ${shown.response.status} for HEAD, as for GET, got ${status}.`
          : types[0] !== types[1]
            ? `Expected the content-type of GET for HEAD, got ${types[1] ?? 'none'}.`
            : undefined
      // The source document does not mention HEAD, so a difference is a deviation.
      context.expect(exchange, text === '' ? message : 'Expected no body for HEAD, got one.')
      const length = headerOf(headers, 'content-length')
      const zero = 'Expected the content-length of GET for HEAD, or none, got 0.'
      context.expect(exchange, length === '0' && shown.response.text !== '' ? zero : undefined, {
        about: 'length',
      })
      await tryRefused(context, view, valid)
    }),
}

/** HEAD must be refused without credentials and for unknown ids, as GET is. */
async function tryRefused(context: Context, view: OperationView, valid: Input): Promise<void> {
  const unknown = { ...valid, path: unknownPath(view) }
  const cases = [
    { words: 'without credentials', input: valid, identity: null },
    { words: 'of an unknown id', input: unknown, identity: 'partner' },
  ] as const
  for (const { words, input, identity } of cases) {
    const refused = await context.send(view, input, { identity })
    if (isSuccess(refused)) continue
    const exchange = await context.send(view, input, { identity, raw: { method: 'HEAD' } })
    const message = `Expected ${refused.response.status} for HEAD ${words}, as for GET, got ${exchange.response.status}.`
    context.expect(exchange, isSuccess(exchange) ? message : undefined, { about: words })
  }
}
