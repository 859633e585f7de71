import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'

export const headEqualsGet: Law = {
  id: 'head-equals-get',
  phase: 'http',
  title: 'HEAD is answered as GET without the body, or refused (RFC 9110, section 9.3.2).',
  advice: 'Answer HEAD with the status and headers of GET, and no body.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.method !== 'GET') return
      const exchange = await scene.send(view, base, { raw: { method: 'HEAD' } })
      const { status, text } = exchange.reply
      const isRefused = status === 405 || status === 404 || status === 501
      const message =
        status !== view.success && !isRefused
          ? `Expected ${view.success} or 405 for HEAD, got ${status}.`
          : undefined
      scene.expect(exchange, text === '' ? message : 'Expected no body for HEAD, got one.', {
        isAddition: true,
      })
    }),
}
