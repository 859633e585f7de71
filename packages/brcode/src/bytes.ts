import { refuse } from './error.ts'
import { issueAt } from './issue.ts'

// Every runtime of today has it, but it belongs to the platform's types and not to ECMAScript's.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** The UTF-8 bytes of a text, each as one character: of ASCII, the text itself. */
export function bytesOf(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/**
 * The same for a code, which has at most 512 of them (Open Finance Brasil, qrCode; Pix API, pixCopiaECola), counting
 * those still to be written.
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
