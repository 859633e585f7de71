import { expect, test } from 'vitest'
import { isClosed } from '../src/output.ts'

test.each([
  { what: 'a pipe without a reader', code: 'EPIPE', isTTY: false, expected: true },
  { what: 'a terminal that was closed', code: 'EIO', isTTY: true, expected: true },
  { what: 'a broken disk', code: 'EIO', isTTY: false, expected: false },
  { what: 'a full disk', code: 'ENOSPC', isTTY: false, expected: false },
])(
  'it says of $what whether nobody reads the output any more: $expected',
  ({ code, isTTY, expected }) => {
    expect(isClosed({ code }, { isTTY })).toBe(expected)
  },
)
