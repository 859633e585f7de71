import { requireThat, wrapErrors } from './error.ts'
import { createSigner, createSyncSigner, type Hmac, type SyncHmac } from './hmac.ts'

const cache = new Map<string, Hmac>()
const syncCache = new Map<string, SyncHmac>()
const MAX_CACHED = 256

/** Returns a cached function that signs with a secret. */
export function cachedSigner(secret: string, importKey = createSigner): Hmac | Promise<Hmac> {
  return cache.get(secret) ?? importOnce(secret, importKey)
}

async function importOnce(secret: string, importKey: typeof createSigner): Promise<Hmac> {
  // Caches the function, not its promise, which may reject.
  return keepSigner(cache, secret, await importKey(decodeSecret(secret)))
}

/**
 * Returns the function that signs with a secret, which is created once per secret. Throws where the
 * runtime has no crypto of Node.
 */
export function cachedSyncSigner(secret: string, importKey = createSyncSigner): SyncHmac {
  const cached = syncCache.get(secret)
  if (cached) return cached

  const hmac = importKey(decodeSecret(secret))
  requireThat(hmac, 'sync-unavailable', 'this runtime has no node:crypto: await `verify` instead')
  return keepSigner(syncCache, secret, hmac)
}

/** Keeps a signer for its secret, and returns it. A full cache starts again. */
function keepSigner<T>(cache: Map<string, T>, secret: string, hmac: T): T {
  // The cache is rarely full and an import takes microseconds, so clearing it is simpler than an
  // LRU.
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(secret, hmac)
  return hmac
}

/** Throws unless a secret is valid. */
export function requireSecret(secret: string): void {
  decodeSecret(secret)
}

/** The bytes of a secret: the base64 of 24 to 64 bytes, with or without prefix and padding. */
function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  const expected =
    'a secret must be the base64 of 24 to 64 bytes, with or without "whsec_" before it'
  const encoded = wrapErrors(() => secret.replace(/^whsec_/, ''), 'secret-invalid', expected)
  const binary = wrapErrors(() => atob(encoded), 'secret-invalid', expected)

  // Compares the round trip, since atob also accepts spaces, partial padding and unused last bits,
  // as in a bad copy.
  const canonical = btoa(binary)
  const unpadded = canonical.replace(/={1,2}$/, '')
  const isExactBase64 = encoded === canonical || encoded === unpadded
  requireThat(isExactBase64, 'secret-invalid', expected)

  const hasLength = binary.length >= 24 && binary.length <= 64
  requireThat(hasLength, 'secret-invalid', expected)

  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
