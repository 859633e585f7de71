import { afterEach, expect, test, vi } from 'vitest'
import { tryDecode } from '../src/index.ts'
import { object, staticWith } from './codes.ts'

// Measures the work of decoding without a clock: the number of calls to string functions of the platform.
const ASKS = ['charCodeAt', 'codePointAt', 'isWellFormed', 'slice', 'toLowerCase', 'includes'] as const

afterEach(() => {
  vi.restoreAllMocks()
})

function stepsOf(text: string): { steps: number; result: ReturnType<typeof tryDecode> } {
  const spies = [
    ...ASKS.map((name) => vi.spyOn(String.prototype, name)),
    vi.spyOn(RegExp.prototype, 'exec'),
    vi.spyOn(RegExp.prototype, 'test'),
    vi.spyOn(TextEncoder.prototype, 'encode'),
  ]
  const result = tryDecode(text, { profile: 'lenient' })
  const steps = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  vi.restoreAllMocks()
  return { steps, result }
}

const long: Record<string, string> = {
  digits: '0'.repeat(1e7),
  objects: '0001'.repeat(2.5e6),
  'characters of two units': '👀'.repeat(5e6),
  letters: `00-4${'abcd'.repeat(1e6)}`,
}

test.each(Object.entries(long))('refuses a text that is too long without parsing it: %s', (_, text) => {
  const { steps, result } = stepsOf(text)
  expect(result).toMatchObject({ ok: false, error: { code: 'size', found: `${text.length}` } })
  expect(steps).toBe(0)
})

const grown: Record<string, (size: number) => string> = {
  'unknown objects': (size) => objects(64, size, 'x'.repeat(8)),
  'characters of two units': (size) => objects(64, size, '👀'),
  'templates of other arrangements': (size) => objects(27, size, object('00', 'BR.COM')),
}

test.each(Object.entries(grown))('the number of steps per object is constant: %s', (_, make) => {
  const stepsWith = (size: number) => {
    const { steps, result } = stepsOf(staticWith('5204', `${make(size)}5204`))
    expect(result.ok).toBe(true)
    return steps
  }
  const growth = [4, 8, 12].map((size) => stepsWith(size + 4) - stepsWith(size))
  expect(growth[0]).toBeGreaterThan(0)
  expect(new Set(growth).size, String(growth)).toBe(1)
})

function objects(first: number, size: number, value: string): string {
  return Array.from({ length: size }, (_, i) => object(String(first + i), value)).join('')
}
