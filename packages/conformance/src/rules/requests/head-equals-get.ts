import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { type Input, isSuccess } from '../../model/exchange.ts'
import { headerOf } from '../../model/http.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { withBase } from '../valid-requests.ts'

export const headEqualsGet: Rule = {
  id: 'head-equals-get',
  phase: 'http',
  cites: { standard: 'RFC 9110, section 9.3.2' },
  isTraffic: true,
  title:
    'HEAD is answered as GET, without the body, where GET is refused too (RFC 9110, sections 9.1 and 9.3.2).',
  advice: 'Answer HEAD with the status and the headers of GET, and no body.',
  run: (context) =>
    withBase(context, async (view, base) => {
      // Of a mock, the contract is all there is, and it declares no HEAD.
      if (view.method !== 'GET' || context.target === 'mock') return
      const shown = await context.send(view, base)
      if (!isSuccess(shown)) return context.inconclusive()
      const exchange = await context.send(view, base, { raw: { method: 'HEAD' } })
      const { status, text, headers } = exchange.response
      // A contract declares no HEAD: that one is not taken at all is told of a service of our answers alone.
      const isReported = isSuccess(exchange) || context.contract.conventions.refusals?.question !== undefined
      if (!isReported && [404, 405, 501].includes(status)) return context.inconclusive('HEAD is not taken')
      const types = [shown.response.headers, headers].map((it) => headerOf(it, 'content-type'))
      const message =
        status !== shown.response.status
          ? `Expected ${shown.response.status} for HEAD, as for GET, got ${status}.`
          : types[0] !== types[1]
            ? `Expected the content-type of GET for HEAD, got ${types[1] ?? 'none'}.`
            : undefined
      // The document says nothing of HEAD: what departs from the norm is told, and is no failure.
      context.expect(exchange, text === '' ? message : 'Expected no body for HEAD, got one.', {})
      const length = headerOf(headers, 'content-length')
      const none = 'Expected the content-length of GET for HEAD, or none, got 0.'
      context.expect(exchange, length === '0' && shown.response.text !== '' ? none : undefined, {
        about: 'length',
      })
      await tryRefused(context, view, base)
    }),
}

/** Whoever GET is refused to, and what it does not find, HEAD tells nothing of either. */
async function tryRefused(context: Context, view: OperationView, base: Input): Promise<void> {
  const nowhere = {
    ...base,
    path: Object.fromEntries(view.pathParameters.map(({ name }) => [name, UNKNOWN])),
  }
  const asked = [
    { words: 'without credentials', input: base, identity: null },
    { words: 'of an unknown id', input: nowhere, identity: 'partner' },
  ] as const
  for (const { words, input, identity } of asked) {
    const refused = await context.send(view, input, { identity })
    if (isSuccess(refused)) continue
    const exchange = await context.send(view, input, { identity, raw: { method: 'HEAD' } })
    const message = `Expected ${refused.response.status} for HEAD ${words}, as for GET, got ${exchange.response.status}.`
    context.expect(exchange, isSuccess(exchange) ? message : undefined, { about: words })
  }
}

/** An id of the form that ids have, of nothing. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
