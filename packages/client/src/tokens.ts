import type { Token, TokenRequest } from './options.ts'

/** The `authorization` header of one identity. */
export interface Tokens {
  /** The cached header; empty if there is none. */
  cached(): string
  /** Obtains a new header, or joins the request that is under way. */
  get(): Promise<string>
  /**
   * Forgets the refused header; keeps a newer one. Returns whether obtaining another one makes
   * sense.
   */
  drop(refused: string): boolean
}

/**
 * Obtains the header when it is first needed, once for all waiting calls, then caches it. `obtain`
 * returns a token set, or a token that is valid until it is refused. It is told which token was
 * refused, if one was since the last token. An empty `scheme` sends the token alone.
 */
export function tokensFrom(
  obtain: (request: TokenRequest) => Promise<Token>,
  scheme: string,
  now: () => number,
): Tokens {
  let cached = ''
  let cachedUntil = 0
  let current: string | undefined
  let refused: string | undefined
  let pending: Promise<string> | undefined

  async function renew(): Promise<string> {
    const token = await obtain({ refused })
    const isAlone = typeof token === 'string'
    cachedUntil = now() + lifetimeMs(isAlone ? undefined : token.expiration)
    current = isAlone ? token : token.access_token
    refused = undefined
    cached = scheme ? `${scheme} ${current}` : current
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
    drop(header) {
      if (header !== cached) return true
      cached = ''
      refused = current
      return true
    },
  }
}

/**
 * How long a token is used: 90 % of its lifetime, which is in seconds. Without a numeric lifetime,
 * a 401 triggers the renewal.
 */
function lifetimeMs(expiration: number | undefined): number {
  if (typeof expiration !== 'number') return Infinity
  return expiration * 900
}
