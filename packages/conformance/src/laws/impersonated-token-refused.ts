import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'

export const impersonatedTokenRefused: Law = {
  id: 'impersonated-token-refused',
  phase: 'authorization',
  question: 'token-permissions',
  identity: 'customer',
  stateful: true,
  atStake: true,
  title: "What is the partner's business refuses the token of a customer with 403.",
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.scheme !== 'bearer' || !view.statuses.includes('403')) return
      const exchange = await scene.send(view, base, { who: 'customer' })
      const { status } = exchange.reply
      const isRefused = status === 403 || status === 401
      scene.expect(
        exchange,
        isRefused ? undefined : `Expected 403 for the token of a customer, got ${status}.`,
      )
    }),
}
