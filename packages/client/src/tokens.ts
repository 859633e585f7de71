import { EXPIRATION_UNIT_MS } from './generated/token-lifetime.ts'
import type { Token, TokenRequest } from './options.ts'

/** The `authorization` header of one identity. */
export interface Tokens {
  /** The cached header; empty if there is none. */
  cached(): string
  /** Obtains a new header, or joins the request that is under way. */
  get(): Promise<string>
  /** Whether another header can be obtained once one was refused. */
  readonly canRenew: boolean
  /** Forgets the header that was refused; keeps a newer one. */
  drop(refusedHeader: string): void
}

/**
 * Caches the `authorization` header of one identity, such as `Bearer abc`. It obtains a token when
 * one is first needed, once for all calls that wait for it, and again when it expires or was dropped.
 *
 * @param obtain returns a token set, or a token that is valid until the service refuses it. It gets
 * the last token that the service refused, so as not to return it again.
 * @param scheme such as `Bearer`; empty to send the token alone
 */
export function cacheTokens(
  obtain: (request: TokenRequest) => Promise<Token>,
  scheme: string,
  now: () => number,
): Tokens {
  // The header, and the token in it.
  let cached = ''
  let cachedUntil = 0
  let currentToken: string | undefined
  // The last token that the service refused, until there is a new one.
  let refusedToken: string | undefined
  let pending: Promise<string> | undefined

  /** Obtains a token and caches its `authorization` header, which it returns. */
  async function renew(): Promise<string> {
    // Tells the supplier which token the service refused, so that it does not return that again.
    const reportedToken = refusedToken
    let token = await obtain({ refused: reportedToken })

    // Meanwhile the service may have refused this token in another call: then asks once more.
    const isStale = refusedToken !== reportedToken && accessToken(token) === refusedToken
    if (isStale) token = await obtain({ refused: refusedToken })

    cachedUntil = now() + lifetimeMs(token)
    currentToken = accessToken(token)
    refusedToken = undefined
    cached = scheme ? `${scheme} ${currentToken}` : currentToken
    return cached
  }

  return {
    cached: () => (now() < cachedUntil ? cached : ''),
    get() {
      pending ??= renew().finally(() => {
        pending = undefined
      })
      return pending
    },
    canRenew: true,
    drop(refusedHeader) {
      // A newer header was cached since, which the service has not refused.
      if (refusedHeader !== cached) return

      cached = ''
      refusedToken = currentToken
    },
  }
}

function accessToken(token: Token): string {
  return typeof token === 'string' ? token : token.access_token
}

/** How long a token is used: 90 % of its lifetime. Without a number, a 401 triggers the renewal. */
function lifetimeMs(token: Token): number {
  if (typeof token === 'string' || typeof token.expiration !== 'number') return Infinity
  return token.expiration * EXPIRATION_UNIT_MS * 0.9
}
