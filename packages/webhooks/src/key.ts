import { attempt, ensure } from './error.ts'
import { type Hmac, hmacWith } from './hmac.ts'

const cache = new Map<string, Hmac>()

/** The function that signs with a secret, imported once as long as it stays in the cache. */
export async function hmacOf(secret: string): Promise<Hmac> {
  const known = cache.get(secret)
  if (known) return known
  // The function is kept, not the promise of it, which may have failed.
  const hmac = await hmacWith(bytesOf(secret))
  // Full is rare, and an import takes microseconds: starting again is simpler than keeping an order of use.
  if (cache.size >= 256) cache.clear()
  cache.set(secret, hmac)
  return hmac
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const expected = 'a secret must be the base64 of 24 to 64 bytes, with or without "whsec_" before it'
  const encoded = attempt(() => secret.replace(/^whsec_/, ''), 'secret-invalid', expected)
  const binary = attempt(() => atob(encoded), 'secret-invalid', expected)
  // Compared whole: atob also takes spaces, half the padding and loose last bits, which a copy that went wrong has.
  const canonical = btoa(binary)
  const isWhole = encoded === canonical || encoded === canonical.replace(/=+$/, '')
  ensure(isWhole && binary.length >= 24 && binary.length <= 64, 'secret-invalid', expected)
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
