/** Centavos of an amount with up to two decimal places; undefined if it has another form. */
export function centavosOf(amount: unknown): bigint | undefined {
  const [, sign = '', whole, decimals = ''] =
    /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/.exec(typeof amount === 'string' ? amount : '') ?? []
  return whole === undefined ? undefined : BigInt(sign + whole + decimals.padEnd(2, '0'))
}

/** An amount as the contract writes it: 0.03 for 3 centavos. */
export function reaisOf(centavos: bigint): string {
  const [sign, digits] = centavos < 0n ? ['-', -centavos] : ['', centavos]
  return `${sign}${digits / 100n}.${String(digits % 100n).padStart(2, '0')}`
}
