import type { Token } from './options.ts'

export type Tokens = ReturnType<typeof tokensFrom>

/**
 * The `authorization` header of one identity: obtained when first needed, once for all waiting
 * calls, then cached. `obtain` returns a token set, or a token that is valid until it is refused.
 */
export function tokensFrom(obtain: () => Promise<Token>, now: () => number) {
  let cached = ''
  let until = 0
  let pending: Promise<string> | undefined
  const renew = async () => {
    const token = await obtain()
    const { access_token = token, expiration } = Object(token)
    // Renewed after 90 % of its lifetime (in seconds). Without a numeric lifetime, a 401 triggers
    // the renewal.
    until = typeof expiration === 'number' ? now() + expiration * 900 : Infinity
    cached = `Bearer ${access_token}`
    return cached
  }
  return {
    /** The cached header; empty if there is none. */
    cached: () => (now() < until ? cached : ''),
    /** Obtains a new header, or joins the request that is under way. */
    get() {
      pending ??= renew().finally(() => {
        pending = undefined
      })
      return pending
    },
    /**
     * Forgets the refused header; keeps a newer one. Returns whether obtaining another one makes
     * sense.
     */
    drop(refused: string): boolean {
      if (refused === cached) cached = ''
      return true
    },
  }
}
