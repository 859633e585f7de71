/**
 * Decompresses a body with a decoder that throws if the body is broken. Returns undefined for such a
 * body, and for each one after too many bytes.
 */
export type Decompress = (decode: () => Uint8Array | undefined) => Uint8Array | undefined

/** Bytes of all decompressed bodies of a recording. Most recorders decompress bodies themselves. */
const MAX_TOTAL_BYTES = 20_000_000
/** The bytes that a broken body counts for. */
const BROKEN_BODY_BYTES = 2_000_000

/**
 * Creates the function that decompresses the bodies of one recording. It has a limit for all of them in sum,
 * since a few bytes can unpack to very many.
 */
export function createDecompressor(): Decompress {
  let totalBytes = 0
  return (decode) => {
    if (totalBytes > MAX_TOTAL_BYTES) return undefined
    try {
      const bytes = decode()
      totalBytes += bytes?.length ?? 0
      return bytes
    } catch {
      // Nobody knows how many bytes were decompressed before it broke.
      totalBytes += BROKEN_BODY_BYTES
      return undefined
    }
  }
}
