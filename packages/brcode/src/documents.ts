/**
 * Whether a text is a CPF with right check digits: eleven digits, no punctuation. Eleven times the same digit
 * satisfies the sum and is refused, since none was ever issued.
 *
 * @example
 * isCpf('12345678909') // true
 * isCpf('123.456.789-09') // false
 */
export function isCpf(text: string): boolean {
  return /^(?!(.)\1+$)\d{11}$/.test(text) && endsInCheckDigits(text, 11)
}

/**
 * Whether a text is a CNPJ with right check digits: twelve digits or upper-case letters and two digits, no
 * punctuation (Instrução Normativa RFB 2.229/2024). One digit repeated is refused, as in {@link isCpf}.
 *
 * @example
 * isCnpj('12ABC34501DE35') // true
 * isCnpj('00038166000105') // true
 */
export function isCnpj(text: string): boolean {
  return /^(?!(.)\1+$)[\dA-Z]{12}\d{2}$/.test(text) && endsInCheckDigits(text, 9)
}

function endsInCheckDigits(text: string, heaviest: number): boolean {
  const bare = text.slice(0, -2)
  const first = bare + checkDigit(bare, heaviest)
  return first + checkDigit(first, heaviest) === text
}

/** Modulo 11 with weights from 2 to the heaviest, right to left and over again; a letter counts as its ASCII code less 48. */
function checkDigit(text: string, heaviest: number): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const weight = 2 + ((text.length - 1 - i) % (heaviest - 1))
    sum += (text.charCodeAt(i) - 48) * weight
  }
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}
