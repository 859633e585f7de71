import { refuse } from './error.ts'
import { createIssue } from './issue.ts'

// All current runtimes have it, but its type belongs to the platform, not to ECMAScript.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/**
 * The UTF-8 bytes of a string as one character per byte: `é`, whose bytes are C3 A9, becomes `Ã©`.
 * ASCII stays unchanged.
 */
export function bytesOf(text: string): string {
  const isAscii = !/[\u0080-\uffff]/.test(text)
  if (isAscii) return text

  const bytes = new TextEncoder().encode(text)
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** The maximum size of a code (Open Finance Brasil, qrCode; Pix API, pixCopiaECola). */
const MAX_BYTES = 512

/**
 * The UTF-8 bytes of a code, one in each character of the result. Refuses more than a code may
 * have.
 *
 * @param missingBytes How many bytes are still to be written, such as the four of the checksum.
 */
export function bytesOfCode(code: string, missingBytes = 0): string {
  if (typeof code !== 'string') refuseCode('text', 'a string', typeof code)

  // A text has at least as many bytes as characters, so the bytes of a longer one are not needed.
  const bytes = code.length > MAX_BYTES ? code : bytesOf(code)
  const size = bytes.length + missingBytes
  if (size > MAX_BYTES) refuseCode('size', `at most ${MAX_BYTES} bytes`, `${size}`)

  if (!code.isWellFormed()) refuseCode('text', 'whole characters', code)
  return bytes
}

function refuseCode(fault: 'text' | 'size', expected: string, value: string): never {
  refuse(createIssue({ id: '', offset: 0, value }, fault, expected))
}
