import { expect } from 'vitest'
import { BrCodeError, type BrCodeFields, type EncodeOptions, encode } from '../src/index.ts'

/** An expected error: its code, path and offset as words, or its fields. */
export type Expected = string | Partial<BrCodeError>

/** Expects `encode` to refuse fields. */
export function expectRefused(fields: unknown, expected: Expected, options?: EncodeOptions): void {
  let error: unknown
  try {
    encode(fields as BrCodeFields, options)
  } catch (thrown) {
    error = thrown
  }
  expectError(error, expected)
}

export function expectError(error: unknown, expected: Expected): void {
  const [code, path, offset] = typeof expected === 'string' ? expected.split(' ') : []
  const words = { code, ...(path && { path }), ...(offset && { offset: Number(offset) }) }
  expect(error).toBeInstanceOf(BrCodeError)
  expect(error).toMatchObject(typeof expected === 'string' ? words : expected)
}
