import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import { isPlainRead, type OperationView } from '../../model/operation-view.ts'
import { responseProperties } from '../../model/schema-properties.ts'

/** Seconds after its `expiration` at which a token is certainly expired. */
const GRACE = 5
/** Seconds before its expiration at which a token must still be valid. */
const EARLY = 60

/** Moves the clock of a sandbox. Without one, the rule is not assessed. */
export const expiredTokenRefused: Rule = {
  id: 'expired-token-refused',
  phase: 'later',
  cites: { convention: 'tokenLifetime' },
  stateful: true,
  needsSandboxControl: true,
  impact: 'high',
  title:
    'A token is accepted for `expiration` seconds after the response that issued it, and refused from then on.',
  advice: 'Store when each token expires, and compare that with the clock in every operation.',
  run: async (context) => {
    const requests = await requestsOf(context)
    const tokens = await tokensOf(context)
    const seconds = Math.max(...tokens.map(({ expiration }) => expiration))
    if (tokens.length === 0) return context.inconclusive()
    // A later sign-in may have revoked a token.
    const valid = await acceptedTokens(context, tokens)
    if (!(await context.clock.move(Math.max(0, seconds - EARLY)))) return
    await expectAccepted(context, valid, seconds)
    if (!(await context.clock.move(EARLY + GRACE))) return
    await context.renewIdentities()
    await context.each(requests, async ({ view, input }) => {
      for (const { identity, words } of tokens)
        expectUnauthorized(context, await context.send(view, input, { identity }), words)
    })
  },
}

/** Refusals with these statuses may have another cause: the form of the request, the permission, or the record. */
const UNCLEAR = [400, 403, 404]

/** A refusal by a business rule shows that the token was accepted. */
function expectUnauthorized(context: Context, exchange: Exchange, words: string): void {
  const { status } = exchange.response
  if (status === 401) context.passed()
  else if (UNCLEAR.includes(status)) context.inconclusive()
  else context.expect(exchange, `Expected 401 for ${words}, got ${status}.`, { about: String(status) })
}

/** Shortly before its expiration a token is accepted: clients refresh it by `expiration`. */
async function expectAccepted(
  context: Context,
  tokens: readonly IssuedToken[],
  seconds: number,
): Promise<void> {
  for (const { identity, words, by } of tokens.filter(({ expiration }) => expiration === seconds)) {
    const message = `Expected ${words.replace('has expired', 'has a minute left')} to be accepted, got a refusal.`
    context.expect(by, (await isAccepted(context, identity)) ? undefined : message, { about: 'early' })
  }
}

async function acceptedTokens(
  context: Context,
  tokens: readonly IssuedToken[],
): Promise<readonly IssuedToken[]> {
  const accepted: IssuedToken[] = []
  for (const token of tokens) if (await isAccepted(context, token.identity)) accepted.push(token)
  return accepted
}

/** A token and the response that issued it. */
interface IssuedToken {
  readonly identity: { readonly authorization: string }
  readonly expiration: number
  readonly words: string
  readonly by: Exchange
}

/** A token of each operation that issues one. */
async function tokensOf(context: Context): Promise<IssuedToken[]> {
  const { signIn } = context.contract
  const acting = context.contract.operations.find(
    (it) => it !== signIn && responseProperties(context.contract.document, it).includes('access_token'),
  )
  const tokens: IssuedToken[] = []
  for (const view of [signIn, acting]) {
    const by = view && (await context.accepted(view.id))
    const { access_token, expiration } = nodeOf(by?.body)
    if (!by || typeof access_token !== 'string' || typeof expiration !== 'number') continue
    const identity = { authorization: context.identities.headerWith(access_token) }
    const words = view === signIn ? 'a token that has expired' : 'a token of a customer that has expired'
    // The refusal of a token that was never accepted would prove nothing.
    if (await isAccepted(context, identity)) tokens.push({ identity, expiration, words, by })
    else context.inconclusive()
  }
  return tokens
}

async function isAccepted(context: Context, identity: IssuedToken['identity']): Promise<boolean> {
  const reads = context.contract.operations.filter((it) => isPlainRead(it) && it.scheme === 'bearer')
  for (const view of reads) if (isSuccess(await context.send(view, {}, { identity }))) return true
  return false
}

/** A request of each operation that requires a token, built before the tokens expire. */
async function requestsOf(context: Context): Promise<{ view: OperationView; input: Input }[]> {
  const requests: { view: OperationView; input: Input }[] = []
  const views = context.contract.operations.filter(({ scheme }) => scheme === 'bearer')
  await context.each(
    views.filter((view) => context.isIncluded(view)),
    async (view) => {
      const input = await context.builder.inputOf(view, { identity: 'partner' })
      if (input) requests.push({ view, input })
      else context.inconclusive()
    },
  )
  return requests
}
