/** Reais, and up to two decimals after a dot. */
const FORM = /^(\d+)(?:\.(\d{0,2}))?$/

/**
 * Parses an amount into centavos exactly, without floats. Besides the two decimals that requests
 * need, it accepts the forms of payment codes: `10`, `10.` and `10.5`. A percentage has the same
 * form, and becomes hundredths of a percent.
 *
 * Pix API 2.9.0, `valor.original`; Manual de Padrões para Iniciação do Pix 2.10.0, object 54.
 *
 * @throws {TypeError} if the text has another form: a sign, a comma, a third decimal, or no digit
 *   before the dot.
 */
export function parseCentavos(text: string): bigint {
  const [, reais, centavos = ''] = FORM.exec(text) ?? []
  if (reais === undefined) {
    throw new TypeError(`an amount must look like "10.50", got ${JSON.stringify(text)}`)
  }
  return BigInt(reais + centavos.padEnd(2, '0'))
}

/**
 * Formats centavos as an amount of the contract, with a dot and two decimals: 1050 as `10.50`. An
 * amount below zero has a minus sign.
 */
export function formatCentavos(centavos: bigint): string {
  if (centavos < 0n) return `-${formatCentavos(-centavos)}`

  // At least one digit of reais: 5 centavos are 005.
  const digits = String(centavos).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Formats centavos like {@link formatCentavos}, but zero as `0`. The contract writes it so for an
 * adjustment that does not apply, and for an amount that the payer chooses.
 */
export function formatZeroAs0(centavos: bigint): string {
  return centavos === 0n ? '0' : formatCentavos(centavos)
}
