import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigError, fromCentavos, toCentavos } from '../src/index.ts'

describe('amounts', () => {
  it.each([
    ['0', 0n],
    ['10.50', 1050n],
    ['10.5', 1050n],
    ['7', 700n],
    ['-1.05', -105n],
    ['-0.05', -5n],
    ['1.2300', 123n],
    ['9007199254740993.01', 900719925474099301n],
  ])('%s is %d centavos', (amount, centavos) => expect(toCentavos(amount)).toBe(centavos))

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '1,50',
    '1e3',
    '+1',
    ' 1',
    '1.234',
    '1.001',
    'NaN',
    '--1',
    '١',
    10.5,
    1050n,
    null,
  ])('refuses %s', (amount) => {
    expect(() => toCentavos(amount as string)).toThrow(ConfigError)
  })

  it.each([10.5, '1050', null])('refuses %s as centavos', (centavos) => {
    expect(() => fromCentavos(centavos as unknown as bigint)).toThrow(ConfigError)
  })

  it('rejects a long string quickly', () => {
    expect(() => toCentavos('9'.repeat(1e6))).toThrow(ConfigError)
  })

  it('convert to centavos and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (centavos) => {
        const amount = fromCentavos(centavos)
        expect(amount).toMatch(/^-?\d+\.\d{2}$/)
        expect(toCentavos(amount)).toBe(centavos)
      }),
    )
  })
})
