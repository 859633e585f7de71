import { afterEach, expect, test, vi } from 'vitest'
import { tryDecode } from '../src/index.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const long: Record<string, string> = {
  digits: '0'.repeat(1e7),
  objects: '0001'.repeat(2.5e6),
  'characters of two units': '👀'.repeat(5e6),
  letters: `00-4${'abcd'.repeat(1e6)}`,
}

test.each(Object.entries(long))(
  'refuses a text that is too long without reading it: %s',
  (_, text) => {
    // Counts calls of the platform, which needs no clock.
    const spies = [
      vi.spyOn(String.prototype, 'charCodeAt'),
      vi.spyOn(String.prototype, 'codePointAt'),
      vi.spyOn(String.prototype, 'isWellFormed'),
      vi.spyOn(String.prototype, 'slice'),
      vi.spyOn(RegExp.prototype, 'test'),
      vi.spyOn(TextEncoder.prototype, 'encode'),
    ]
    const result = tryDecode(text, { profile: 'lenient' })
    const calls = spies.flatMap((spy): unknown[] => spy.mock.calls)
    vi.restoreAllMocks()
    expect(calls).toHaveLength(0)
    expect(result).toMatchObject({ ok: false, error: { code: 'size', found: `${text.length}` } })
  },
)
