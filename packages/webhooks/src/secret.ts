/**
 * Generates a random secret: `whsec_` and the base64 of 32 bytes.
 *
 * Standard Webhooks 1.0.0, "Signature scheme", requires 24 to 64 bytes.
 *
 * @example
 * const secret = generateSecret() // whsec_ and 44 characters
 */
export function generateSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`
}

/** Base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
