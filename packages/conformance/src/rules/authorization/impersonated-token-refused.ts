import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { withBase } from '../valid-requests.ts'

export const impersonatedTokenRefused: Law = {
  id: 'impersonated-token-refused',
  phase: 'authorization',
  question: 'token-permissions',
  isOurs: true,
  identity: 'customer',
  stateful: true,
  atStake: true,
  title: "What is the partner's business refuses the token of a customer with 403.",
  advice: 'Refuse impersonated tokens on users, webhooks and impersonation.',
  run: async (scene) => {
    const isTaken = await isTakenSomewhere(scene)
    await withBase(scene, async (view, base) => {
      if (view.scheme !== 'bearer' || !view.statuses.includes('403')) return
      const exchange = await scene.send(view, base, { who: 'customer' })
      const { status } = exchange.reply
      if (status === 401 && !isTaken) return scene.masked()
      const isRefused = status === 403 || status === 401
      scene.expect(
        exchange,
        isRefused ? undefined : `Expected 403 for the token of a customer, got ${status}.`,
      )
    })
  },
}

/** Whether the token is good for anything: else 401 says nothing of what it may not do. */
async function isTakenSomewhere(scene: Scene): Promise<boolean> {
  const view = scene.contract.operations.find(
    ({ method, scheme, pathParameters, statuses }) =>
      method === 'GET' && scheme === 'bearer' && pathParameters.length === 0 && !statuses.includes('403'),
  )
  return view !== undefined && isSuccess(await scene.send(view, {}, { who: 'customer' }))
}
