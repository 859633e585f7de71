import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { headerOf, type Input } from '../../transport/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const headEqualsGet: Law = {
  id: 'head-equals-get',
  phase: 'http',
  isTraffic: true,
  title:
    'HEAD is answered as GET, without the body, where GET is refused too (RFC 9110, sections 9.1 and 9.3.2).',
  advice: 'Answer HEAD with the status and the headers of GET, and no body.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      // Of a mock, the contract is all there is, and it declares no HEAD.
      if (view.method !== 'GET' || scene.target === 'mock') return
      const shown = await scene.send(view, base)
      if (!isSuccess(shown)) return scene.masked()
      const exchange = await scene.send(view, base, { raw: { method: 'HEAD' } })
      const { status, text, headers } = exchange.reply
      // A contract declares no HEAD: that one is not taken at all is told of a service of our answers alone.
      const isTold = isSuccess(exchange) || scene.contract.questions.has('errors')
      if (!isTold && [404, 405, 501].includes(status)) return scene.masked('HEAD is not taken')
      const types = [shown.reply.headers, headers].map((it) => headerOf(it, 'content-type'))
      const message =
        status !== shown.reply.status
          ? `Expected ${shown.reply.status} for HEAD, as for GET, got ${status}.`
          : types[0] !== types[1]
            ? `Expected the content-type of GET for HEAD, got ${types[1] ?? 'none'}.`
            : undefined
      // The document says nothing of HEAD: what departs from the norm is told, and is no failure.
      scene.expect(exchange, text === '' ? message : 'Expected no body for HEAD, got one.', {
        isAddition: true,
      })
      const length = headerOf(headers, 'content-length')
      const none = 'Expected the content-length of GET for HEAD, or none, got 0.'
      scene.expect(exchange, length === '0' && shown.reply.text !== '' ? none : undefined, {
        about: 'length',
        isAddition: true,
      })
      await tryRefused(scene, view, base)
    }),
}

/** Whoever GET is refused to, and what it does not find, HEAD tells nothing of either. */
async function tryRefused(scene: Scene, view: OperationView, base: Input): Promise<void> {
  const nowhere = {
    ...base,
    path: Object.fromEntries(view.pathParameters.map(({ name }) => [name, UNKNOWN])),
  }
  const asked = [
    { words: 'without credentials', input: base, who: null },
    { words: 'of an unknown id', input: nowhere, who: 'partner' },
  ] as const
  for (const { words, input, who } of asked) {
    const refused = await scene.send(view, input, { who })
    if (isSuccess(refused)) continue
    const exchange = await scene.send(view, input, { who, raw: { method: 'HEAD' } })
    const message = `Expected ${refused.reply.status} for HEAD ${words}, as for GET, got ${exchange.reply.status}.`
    scene.expect(exchange, isSuccess(exchange) ? message : undefined, { about: words, isAddition: true })
  }
}

/** An id of the form that ids have, of nothing. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
