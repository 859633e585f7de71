import { refuse } from './error.ts'
import { issueAt } from './issue.ts'

// All current runtimes have it, but its type belongs to the platform, not to ECMAScript.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** The UTF-8 bytes of a string as one character per byte; ASCII stays unchanged. */
export function bytesOf(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/**
 * The same for a code, which has at most 512 bytes (Open Finance Brasil, qrCode; Pix API,
 * pixCopiaECola), including those still to be written.
 */
export function bytesOfCode(code: string, missing = 0): string {
  if (typeof code !== 'string') fail('text', 'a string', typeof code)
  const bytes = code.length > 512 ? code : bytesOf(code)
  const size = bytes.length + missing
  if (size > 512) fail('size', 'at most 512 bytes', `${size}`)
  if (!code.isWellFormed()) fail('text', 'whole characters', code)
  return bytes
}

function fail(fault: 'text' | 'size', expected: string, value: string): never {
  refuse(issueAt({ id: '', offset: 0, value }, fault, expected))
}
