import type { Law } from '../law.ts'
import { isRefused } from '../run/authorization.ts'
import { signInAnew } from '../run/customer.ts'
import { nodeOf } from '../run/document.ts'
import type { Input } from '../run/exchange.ts'
import type { OperationView } from '../run/operation-view.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

const QUESTION = 'token-expiration-unit'

/** Seconds that a token must not outlive its `expiration` by. */
const GRACE = 5

/** A sandbox can be told to move its clock; no other service is waited for. */
export const expiredTokenRefused: Law = {
  id: 'expired-token-refused',
  phase: 'time',
  question: QUESTION,
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'A token is refused once its `expiration` has passed, in seconds from its answer.',
  advice: 'Keep the end of each token, and compare it with the clock, for every operation.',
  run: async (scene) => {
    const requests = await requestsOf(scene)
    const tokens = await tokensOf(scene)
    const seconds = Math.max(...tokens.map(({ expiration }) => expiration))
    if (tokens.length === 0) return scene.masked()
    if (!(await scene.clock.move(seconds + GRACE))) return
    await signInAnew(scene)
    await scene.each(requests, async ({ view, input }) => {
      for (const { who, words } of tokens)
        isRefused(scene, await scene.send(view, input, { who }), words, QUESTION)
    })
  },
}

interface Issued {
  readonly who: { readonly authorization: string }
  readonly expiration: number
  readonly words: string
}

/** A token of each operation that gives one. */
async function tokensOf(scene: Scene): Promise<Issued[]> {
  const { signIn } = scene.contract
  const acting = scene.contract.has('impersonate') ? scene.contract.operation('impersonate') : undefined
  const tokens: Issued[] = []
  for (const view of [signIn, acting]) {
    const { access_token, expiration } = nodeOf((view && (await scene.accepted(view.id)))?.body)
    if (typeof access_token !== 'string' || typeof expiration !== 'number') continue
    const who = { authorization: `Bearer ${access_token}` }
    const words = view === signIn ? 'a token that has expired' : 'a token of a customer that has expired'
    // One that was never taken tells nothing when it is refused.
    if (await isTaken(scene, who)) tokens.push({ who, expiration, words })
    else scene.masked()
  }
  return tokens
}

async function isTaken(scene: Scene, who: Issued['who']): Promise<boolean> {
  const reads = scene.contract.operations.filter(
    ({ method, scheme, pathParameters }) =>
      method === 'GET' && scheme === 'bearer' && pathParameters.length === 0,
  )
  for (const view of reads) if (isSuccess(await scene.send(view, {}, { who }))) return true
  return false
}

/** A request of each operation that takes a token, made while those that make it were still good. */
async function requestsOf(scene: Scene): Promise<{ view: OperationView; input: Input }[]> {
  const made: { view: OperationView; input: Input }[] = []
  const views = scene.contract.operations.filter(({ scheme }) => scheme === 'bearer')
  await scene.each(
    views.filter((view) => scene.isAsked(view)),
    async (view) => {
      const input = await scene.maker.inputOf(view, { who: 'partner' })
      if (input) made.push({ view, input })
      else scene.masked()
    },
  )
  return made
}
