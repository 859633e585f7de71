const FORM = /^(\d+)(?:\.(\d{0,2}))?$/

/**
 * The centavos of an amount, exactly: no float ever holds money. Besides the two decimals that the contract asks of
 * requests, it reads what stands in payment codes: `10`, `10.` and `10.5`. A percentage comes in the same form, and
 * reads as hundredths of a percent.
 *
 * Pix API 2.9.0, `valor.original`; Manual de Padrões para Iniciação do Pix 2.10.0, object 54.
 *
 * @throws {TypeError} where the text is no such amount: it has a sign, a comma, a third decimal, no digit before the dot.
 *
 * @example
 * parseCentavos('10.50') // 1050n
 */
export function parseCentavos(text: string): bigint {
  const [, reais, centavos = ''] = FORM.exec(text) ?? []
  if (reais === undefined)
    throw new TypeError(`an amount must look like "10.50", got ${JSON.stringify(text)}`)
  return BigInt(reais + centavos.padEnd(2, '0'))
}

/**
 * Centavos as an amount of the contract: a dot, two decimals, a minus sign where it is below zero.
 *
 * @example
 * formatCentavos(1050n) // '10.50'
 */
export function formatCentavos(centavos: bigint): string {
  if (centavos < 0n) return `-${formatCentavos(-centavos)}`
  const digits = `${centavos}`.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Centavos as an amount of the contract that writes zero as `0`: a deduction, discount, fine or interest that does not
 * apply, or an amount that a code leaves to its payer.
 *
 * @example
 * formatZeroAs0(0n) // '0'
 */
export function formatZeroAs0(centavos: bigint): string {
  return centavos === 0n ? '0' : formatCentavos(centavos)
}
