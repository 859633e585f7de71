/** The digits without the point, and how many of them are decimals. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Whether a number is a multiple of another, as both are written: 19.99 is one of 0.01, which a division would deny. */
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
