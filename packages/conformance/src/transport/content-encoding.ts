import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer

/** Encodings that a service may use without `accept-encoding` (RFC 9110, section 12.5.3). */
const DECODERS = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/**
 * Decodes a body.
 *
 * @param most Maximum bytes of the decoded body.
 * @throws {Error} if the body does not have that encoding
 */
export function decodeContent(bytes: Uint8Array, coding: string, most: number): Uint8Array {
  const names = coding
    .toLowerCase()
    .split(',')
    .map((it) => it.trim())
  return names.reduceRight((body, name) => {
    const decode = body.length > 0 ? DECODERS.get(name) : undefined
    return decode ? decode(body, { maxOutputLength: most }) : body
  }, bytes)
}
