import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { responseProperties } from '../../model/response-properties.ts'

/** Seconds that a token must not outlive its `expiration` by. */
const GRACE = 5
/** Seconds before its end at which a token is good still. */
const EARLY = 60

/** A sandbox can be told to move its clock; no other service is waited for. */
export const expiredTokenRefused: Rule = {
  id: 'expired-token-refused',
  phase: 'later',
  cites: { convention: 'tokenLifetime' },
  stateful: true,
  needsSandboxControl: true,
  impact: 'high',
  title:
    'A token is taken until its `expiration` has passed, in seconds from its answer, and refused from then on.',
  advice: 'Keep the end of each token, and compare it with the clock, for every operation.',
  run: async (context) => {
    const requests = await requestsOf(context)
    const tokens = await tokensOf(context)
    const seconds = Math.max(...tokens.map(({ expiration }) => expiration))
    if (tokens.length === 0) return context.inconclusive()
    // A service may end a token by a later sign-in, which is no matter of its time.
    const good = await stillGood(context, tokens)
    if (!(await context.clock.move(Math.max(0, seconds - EARLY)))) return
    await areTaken(context, good, seconds)
    if (!(await context.clock.move(EARLY + GRACE))) return
    await context.renewIdentities()
    await context.each(requests, async ({ view, input }) => {
      for (const { identity, words } of tokens)
        expectUnauthorized(context, await context.send(view, input, { identity }), words)
    })
  },
}

/** A 403 may mean that such a token lacks the permission at any time. */
function expectUnauthorized(context: Context, exchange: Exchange, words: string): void {
  const { status } = exchange.response
  const question = context.contract.conventions.refusals?.question
  const isRefusal = status >= 400 && status < 500
  if (status === 403) context.inconclusive()
  else if (status === 401 || (isRefusal && question === undefined)) context.passed()
  else
    context.expect(exchange, `Expected 401 for ${words}, got ${status}.`, {
      about: String(status),
      ...(isRefusal && { question }),
    })
}

/** Shortly before its end a token lets its bearer in: a client asks for the next one by its `expiration`. */
async function areTaken(context: Context, tokens: readonly Issued[], seconds: number): Promise<void> {
  for (const { identity, words, by } of tokens.filter(({ expiration }) => expiration === seconds)) {
    const message = `Expected ${words.replace('has expired', 'has a minute left')} to be taken, and it is not.`
    context.expect(by, (await isTaken(context, identity)) ? undefined : message, { about: 'early' })
  }
}

async function stillGood(context: Context, tokens: readonly Issued[]): Promise<readonly Issued[]> {
  const good: Issued[] = []
  for (const token of tokens) if (await isTaken(context, token.identity)) good.push(token)
  return good
}

interface Issued {
  readonly identity: { readonly authorization: string }
  readonly expiration: number
  readonly words: string
  /** The answer that gave it. */
  readonly by: Exchange
}

/** A token of each operation that gives one. */
async function tokensOf(context: Context): Promise<Issued[]> {
  const { signIn } = context.contract
  const acting = context.contract.operations.find(
    (it) => it !== signIn && responseProperties(context.contract.document, it).includes('access_token'),
  )
  const tokens: Issued[] = []
  for (const view of [signIn, acting]) {
    const by = view && (await context.accepted(view.id))
    const { access_token, expiration } = nodeOf(by?.body)
    if (!by || typeof access_token !== 'string' || typeof expiration !== 'number') continue
    const identity = { authorization: context.identities.headerWith(access_token) }
    const words = view === signIn ? 'a token that has expired' : 'a token of a customer that has expired'
    // One that was never taken tells nothing when it is refused.
    if (await isTaken(context, identity)) tokens.push({ identity, expiration, words, by })
    else context.inconclusive()
  }
  return tokens
}

async function isTaken(context: Context, identity: Issued['identity']): Promise<boolean> {
  const reads = context.contract.operations.filter(
    ({ method, scheme, pathParameters }) =>
      method === 'GET' && scheme === 'bearer' && pathParameters.length === 0,
  )
  for (const view of reads) if (isSuccess(await context.send(view, {}, { identity }))) return true
  return false
}

/** A request of each operation that takes a token, made while those that make it were still good. */
async function requestsOf(context: Context): Promise<{ view: OperationView; input: Input }[]> {
  const made: { view: OperationView; input: Input }[] = []
  const views = context.contract.operations.filter(({ scheme }) => scheme === 'bearer')
  await context.each(
    views.filter((view) => context.isIncluded(view)),
    async (view) => {
      const input = await context.builder.inputOf(view, { identity: 'partner' })
      if (input) made.push({ view, input })
      else context.inconclusive()
    },
  )
  return made
}
