import fc from 'fast-check'

/**
 * Any code point, also half a surrogate pair. fast-check's `binary` takes half a second to start.
 */
export const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))

export const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)

/** A secret with or without its prefix and padding, as other libraries use it. */
export const spellings = [
  (secret: string) => secret,
  (secret: string) => secret.replace('whsec_', ''),
  (secret: string) => secret.replace(/=+$/, ''),
  (secret: string) => secret.replace('whsec_', '').replace(/=+$/, ''),
]

/** From ! to ~. */
const visibleAscii = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i))
const visible = visibleAscii.filter((character) => character !== '.')

export const ids = fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 255 })
