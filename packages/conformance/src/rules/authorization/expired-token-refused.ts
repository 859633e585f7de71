import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Exchange, Input } from '../../transport/exchange.ts'
import { signInAnew } from '../customer.ts'
import { isRefused } from './helpers.ts'

const QUESTION = 'token-expiration-unit'

/** Seconds that a token must not outlive its `expiration` by. */
const GRACE = 5
/** Seconds before its end at which a token is good still. */
const EARLY = 60

/** A sandbox can be told to move its clock; no other service is waited for. */
export const expiredTokenRefused: Law = {
  id: 'expired-token-refused',
  phase: 'time',
  question: QUESTION,
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title:
    'A token is taken until its `expiration` has passed, in seconds from its answer, and refused from then on.',
  advice: 'Keep the end of each token, and compare it with the clock, for every operation.',
  run: async (scene) => {
    const requests = await requestsOf(scene)
    const tokens = await tokensOf(scene)
    const seconds = Math.max(...tokens.map(({ expiration }) => expiration))
    if (tokens.length === 0) return scene.masked()
    // A service may end a token by a later sign-in, which is no matter of its time.
    const good = await stillGood(scene, tokens)
    if (!(await scene.clock.move(Math.max(0, seconds - EARLY)))) return
    await areTaken(scene, good, seconds)
    if (!(await scene.clock.move(EARLY + GRACE))) return
    await signInAnew(scene)
    await scene.each(requests, async ({ view, input }) => {
      for (const { who, words } of tokens)
        isRefused(scene, await scene.send(view, input, { who }), words, QUESTION)
    })
  },
}

/** Shortly before its end a token lets its bearer in: a client asks for the next one by its `expiration`. */
async function areTaken(scene: Scene, tokens: readonly Issued[], seconds: number): Promise<void> {
  for (const { who, words, by } of tokens.filter(({ expiration }) => expiration === seconds)) {
    const message = `Expected ${words.replace('has expired', 'has a minute left')} to be taken, and it is not.`
    scene.expect(by, (await isTaken(scene, who)) ? undefined : message, { about: 'early' })
  }
}

async function stillGood(scene: Scene, tokens: readonly Issued[]): Promise<readonly Issued[]> {
  const good: Issued[] = []
  for (const token of tokens) if (await isTaken(scene, token.who)) good.push(token)
  return good
}

interface Issued {
  readonly who: { readonly authorization: string }
  readonly expiration: number
  readonly words: string
  /** The answer that gave it. */
  readonly by: Exchange
}

/** A token of each operation that gives one. */
async function tokensOf(scene: Scene): Promise<Issued[]> {
  const { signIn } = scene.contract
  const acting = scene.contract.has('impersonate') ? scene.contract.operation('impersonate') : undefined
  const tokens: Issued[] = []
  for (const view of [signIn, acting]) {
    const by = view && (await scene.accepted(view.id))
    const { access_token, expiration } = nodeOf(by?.body)
    if (!by || typeof access_token !== 'string' || typeof expiration !== 'number') continue
    const who = { authorization: `Bearer ${access_token}` }
    const words = view === signIn ? 'a token that has expired' : 'a token of a customer that has expired'
    // One that was never taken tells nothing when it is refused.
    if (await isTaken(scene, who)) tokens.push({ who, expiration, words, by })
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
