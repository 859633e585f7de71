import type { Token } from './options.ts'

/** The `authorization` header of one identity: obtained when first needed, once for all waiting calls, then cached. */
export interface Tokens {
  /** The cached header; empty if there is none. */
  cached(): string
  /** Obtains a new header, or joins the request that is under way. */
  get(): Promise<string>
  /** Forgets the refused header; keeps a newer one. Returns whether obtaining another one makes sense. */
  drop(refused: string): boolean
}

/** `obtain` returns a token set, or a token that is valid until it is refused. */
export function tokensFrom(obtain: () => Promise<Token>, now: () => number): Tokens {
  let cached = ''
  let until = 0
  let pending: Promise<string> | undefined
  const renew = async () => {
    const token = await obtain()
    const { access_token = token, expiration } = Object(token)
    // Renewed after 90 % of its lifetime (in seconds). Without a numeric lifetime, a 401 triggers the renewal.
    until = typeof expiration === 'number' ? now() + expiration * 900 : Infinity
    cached = `Bearer ${access_token}`
    return cached
  }
  return {
    cached: () => (now() < until ? cached : ''),
    get() {
      pending ??= renew().finally(() => {
        pending = undefined
      })
      return pending
    },
    drop(refused) {
      if (refused === cached) cached = ''
      return true
    },
  }
}
