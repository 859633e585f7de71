import { randomBytes } from 'node:crypto'

/** Returns this many random bytes. Tests can pass their own. */
export type Random = (size: number) => Uint8Array

let pool = randomBytes(0)

/**
 * Random bytes of the system. They are fetched in blocks, because each call of the system takes as
 * long as a query.
 */
export const systemRandom: Random = (size) => {
  if (pool.length < size) pool = randomBytes(Math.max(4_096, size))
  const bytes = pool.subarray(0, size)
  pool = pool.subarray(size)
  return bytes
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random UUID (RFC 9562, section 5.4). */
export function uuid(random: Random): string {
  const bytes = Buffer.from(random(16))
  // The version, 4, and the variant of the RFC.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ]
  return groups.join('-')
}

/** Random letters and digits, each equally likely (5.9 bits). */
export function alphanumeric(random: Random, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 is the largest multiple of 62 in a byte. Higher values would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62]
    }
  }
  return text
}

/** A random secret of 256 bits. */
export function secretText(random: Random): string {
  return Buffer.from(random(32)).toString('base64url')
}
