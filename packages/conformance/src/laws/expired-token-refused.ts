import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess } from '../run/scene.ts'

/** Seconds that a token must not outlive its `expiration` by. */
const GRACE = 5

/** A sandbox can be told to move its clock; no other service is waited for. */
export const expiredTokenRefused: Law = {
  id: 'expired-token-refused',
  phase: 'time',
  question: 'token-expiration-unit',
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'A token is refused once its `expiration` has passed, in seconds from its answer.',
  advice: 'Keep the end of each token, and compare it with the clock.',
  run: async (scene) => {
    const { signIn } = scene.contract
    const reads = scene.contract.operations.find(
      (it) => it.method === 'GET' && it.scheme === 'bearer' && it.pathParameters.length === 0,
    )
    if (!signIn || !reads) return
    if (![signIn, reads].some((it) => scene.isAsked(it))) return
    const tokens = nodeOf((await scene.send(signIn, {})).body)
    if (typeof tokens.expiration !== 'number') return scene.masked()
    const who = { authorization: `Bearer ${tokens.access_token}` }
    if (!isSuccess(await scene.send(reads, {}, { who }))) return scene.masked()
    if (!(await scene.clock.move(tokens.expiration + GRACE))) return
    const exchange = await scene.send(reads, {}, { who })
    scene.expect(
      exchange,
      exchange.reply.status === 401
        ? undefined
        : `Expected 401 for a token that has expired, got ${exchange.reply.status}.`,
    )
    scene.identities.forget()
  },
}
