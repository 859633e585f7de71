import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCentavos, formatZeroAs0, parseCentavos } from '../../src/money/centavos.ts'

const centavos = fc.bigInt({ min: 0n, max: 10n ** 15n })

describe('parseCentavos', () => {
  test.each([
    { text: '10.50', expected: 1050n },
    { text: '0.01', expected: 1n },
    { text: '10.', expected: 1000n },
    { text: '10.5', expected: 1050n },
    { text: '007.00', expected: 700n },
    { text: '90071992547409.93', expected: 9007199254740993n },
  ])('reads $text', ({ text, expected }) => {
    expect(parseCentavos(text)).toBe(expected)
  })

  test.each([
    '',
    '.5',
    '.',
    '-1.00',
    '+1.00',
    '1,00',
    '1.000',
    '1.0.0',
    '1e2',
    '0x10',
    ' 1',
    '1.00\n',
    '١',
  ])('refuses %j, and names it', (text) => {
    expect(() => parseCentavos(text)).toThrow(
      new TypeError(`an amount must look like "10.50", got ${JSON.stringify(text)}`),
    )
  })
})

describe('formatCentavos', () => {
  test.each([
    { value: 1050n, expected: '10.50' },
    { value: 0n, expected: '0.00' },
    { value: 1n, expected: '0.01' },
    { value: 10n, expected: '0.10' },
    { value: -1050n, expected: '-10.50' },
  ])('writes $value', ({ value, expected }) => {
    expect(formatCentavos(value)).toBe(expected)
  })

  test('round-trips through parseCentavos', () => {
    fc.assert(fc.property(centavos, (value) => parseCentavos(formatCentavos(value)) === value))
  })
})

test('formatZeroAs0 writes zero as 0, and the rest with two decimals', () => {
  expect([0n, 1n, 500n].map(formatZeroAs0)).toEqual(['0', '0.01', '5.00'])
})
