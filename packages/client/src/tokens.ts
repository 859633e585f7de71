import type { Token } from './options.ts'

/** The header authorization of one identity: got when it is first needed, once for all who wait, and kept. */
export interface Tokens {
  /** The one at hand; empty where none is. */
  kept(): string
  /** A new one, or the one that is being got. */
  get(): Promise<string>
  /** Forgets the one that was refused; a newer one stays. Tells whether to ask again makes sense. */
  drop(refused: string): boolean
}

/** `obtain` gives a token set, or a token that holds until it is refused. */
export function tokensFrom(obtain: () => Promise<Token>, now: () => number): Tokens {
  let kept = ''
  let until = 0
  let pending: Promise<string> | undefined
  const renew = async () => {
    const given = await obtain()
    const set = typeof given === 'string' ? { access_token: given, expiration: undefined } : given
    // Renewed after nine tenths of its life (in seconds). Where that is no number, a 401 says that it is over.
    until = typeof set.expiration === 'number' ? now() + set.expiration * 900 : Infinity
    kept = `Bearer ${set.access_token}`
    return kept
  }
  const forget = () => {
    pending = undefined
  }
  return {
    kept: () => (now() < until ? kept : ''),
    get() {
      pending ??= renew().finally(forget)
      return pending
    },
    drop(refused) {
      if (refused === kept) kept = ''
      return true
    },
  }
}
