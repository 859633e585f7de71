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
  expect(error).toBeInstanceOf(BrCodeError)
  expect(error).toMatchObject(typeof expected === 'string' ? fieldsOf(expected) : expected)
}

/** The fields of an error in words: `value 54 83` is its code, its path and its offset. */
function fieldsOf(words: string): Partial<BrCodeError> {
  const [code, path, offset] = words.split(' ')
  const fields: Record<string, unknown> = { code }
  if (path) fields.path = path
  if (offset) fields.offset = Number(offset)
  return fields
}
