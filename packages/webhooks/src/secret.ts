/**
 * A new random secret: `whsec_` and the base64 of 32 bytes.
 *
 * Standard Webhooks 1.0.0, "Signature scheme", asks for 24 to 64 bytes.
 *
 * @example
 * const secret = generateSecret() // whsec_ and 44 characters
 */
export function generateSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`
}

/** The base64 of some bytes, with its padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
