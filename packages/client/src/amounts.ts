import { ConfigError, show } from './errors.ts'

/**
 * Converts an amount of the contract, a decimal string with a dot, to centavos. Exact: no floating
 * point.
 *
 * Throws `ConfigError` if the value is not such a string, or if a third or later decimal is not
 * zero.
 *
 * @example
 * toCentavos('10.50') // 1050n
 * toCentavos('0') // 0n
 */
export function toCentavos(amount: string): bigint {
  const [, sign, reais, decimals = ''] = DECIMAL.exec(amount) ?? []
  const centavos = decimals.slice(0, 2).padEnd(2, '0')
  const hasFraction = /[^0]/.test(decimals.slice(2))
  if (typeof amount !== 'string' || !reais || hasFraction) {
    throw new ConfigError(`an amount must be a decimal string such as "10.50", got ${show(amount)}`)
  }
  return BigInt(`${sign}${reais}${centavos}`)
}

/** Sign, digits before the dot, digits after it. */
const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/

/**
 * Converts centavos to an amount of the contract, with two decimals.
 *
 * @example
 * fromCentavos(toCentavos('10.50') * 3n) // '31.50'
 */
export function fromCentavos(centavos: bigint): string {
  if (typeof centavos !== 'bigint') {
    throw new ConfigError(`centavos must be a bigint, got ${show(centavos)}`)
  }
  const isNegative = centavos < 0n
  const sign = isNegative ? '-' : ''
  const digits = `${isNegative ? -centavos : centavos}`.padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
