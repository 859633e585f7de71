import { valueAt } from '@partner-payments/contract'
import { ConfigError, show } from './errors.ts'
import { isPayment, type Operation } from './operation.ts'

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
  const match = typeof amount === 'string' && DECIMAL.exec(amount)
  if (!match) throw decimalError(amount)

  const [, sign, reais, decimals = ''] = match
  const hasFractionOfCentavo = /[^0]/.test(decimals.slice(2))
  if (hasFractionOfCentavo) throw decimalError(amount)

  const centavos = decimals.slice(0, 2).padEnd(2, '0')
  return BigInt(`${sign}${reais}${centavos}`)
}

function decimalError(amount: unknown) {
  return new ConfigError(`an amount must be a decimal string such as "10.50", got ${shown(amount)}`)
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

/**
 * Throws `ConfigError`, before anything is sent, unless every amount of a request body is a decimal
 * string with a dot. `amounts` of an operation says where they are, such as `['/amount']`. A payment
 * must have its amount, above zero; other requests may leave an amount out.
 */
export function requireAmounts(operation: Operation, body: unknown): void {
  const { amounts = [] } = operation
  for (const pointer of amounts) {
    const amount = valueAt(body, pointer)
    if (isPayment(operation)) {
      requireAmountToPay(amount, pointer, operation)
    } else if (amount !== undefined && !isDecimal(amount)) {
      throw amountError(pointer, 'a decimal string', amount, operation)
    }
  }
}

/** Returns the amount of a payment. Throws unless it is a decimal string above zero. */
export function requireAmountToPay(amount: unknown, name: string, operation?: Operation): string {
  const isAboveZero = isDecimal(amount) && /[1-9]/.test(amount)
  if (isAboveZero) return amount
  throw amountError(name, 'a decimal string above zero', amount, operation)
}

function isDecimal(amount: unknown): amount is string {
  return typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount)
}

function amountError(name: string, expected: string, amount: unknown, operation?: Operation) {
  const message = `"${name}" must be ${expected} such as "10.50", got ${shown(amount)}`
  return new ConfigError(message, operation)
}

/**
 * The wrong amount, for an error message: `"1,5"`, or `10.5, a number: write it as a string`. A text
 * that does not look like a number becomes `***`: it may be a name that got into the wrong field.
 */
function shown(amount: unknown): string {
  const isOtherText = typeof amount === 'string' && !/^[\d\s.,+-]{0,32}$/.test(amount)
  if (isOtherText) return '***'

  const hint = typeof amount === 'number' ? ', a number: write it as a string' : ''
  return `${show(amount)}${hint}`
}
