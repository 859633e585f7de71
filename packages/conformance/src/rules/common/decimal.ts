/** Decimal places that are compared. */
const PLACES = 20

/** A decimal number as an integer, scaled so that numbers compare and add exactly; undefined for any other value. */
export function scaledDecimal(value: unknown): bigint | undefined {
  const [, sign = '', whole, part = ''] = /^(-?)(\d{1,20})(?:\.(\d{1,20}))?$/.exec(String(value)) ?? []
  return whole === undefined ? undefined : BigInt(`${sign}${whole}${part.padEnd(PLACES, '0')}`)
}
