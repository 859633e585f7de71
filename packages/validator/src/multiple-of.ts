/** The digits without the decimal point, and the number of decimals. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Whether a number is a multiple of another in decimal arithmetic: 19.99 of 0.01 is, despite binary division. */
export function isMultipleOf(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  if (!Number.isFinite(value)) return false
  const [one, other] = [decimalOf(value), decimalOf(of)]
  const scale = Math.max(one.scale, other.scale)
  return scaled(one, scale) % scaled(other, scale) === 0n
}

function decimalOf(number: number): Decimal {
  const [digits = '', exponent = '0'] = String(number).split('e')
  const [whole = '', part = ''] = digits.split('.')
  return { digits: BigInt(whole + part), scale: part.length - Number(exponent) }
}

function scaled({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale)
}
