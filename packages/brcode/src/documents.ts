/**
 * Whether a value is a CPF with valid check digits: a string of eleven digits, no punctuation.
 * Eleven times the same digit satisfies the checksum but is not accepted, since no such CPF was
 * ever issued.
 *
 * @example
 * isCpf('12345678909') // true
 * isCpf('123.456.789-09') // false
 */
export function isCpf(text: string): boolean {
  return hasForm(text, 11, /^(?!(.)\1+$)\d+$/) && endsInCheckDigits(text, 11)
}

/**
 * Whether a value is a CNPJ with valid check digits: a string of twelve digits or upper-case
 * letters and two digits, no punctuation (Instrução Normativa RFB 2.229/2024). A single repeated
 * digit is not accepted, as in {@link isCpf}.
 *
 * @example
 * isCnpj('12ABC34501DE35') // true
 * isCnpj('00038166000105') // true
 */
export function isCnpj(text: string): boolean {
  return hasForm(text, 14, /^(?!(.)\1+$)[\dA-Z]+\d{2}$/) && endsInCheckDigits(text, 9)
}

// Checks the length first, since the regular expression exhausts the stack on a string of
// megabytes.
function hasForm(text: string, length: number, form: RegExp): boolean {
  return typeof text === 'string' && text.length === length && form.test(text)
}

/**
 * Whether the last two digits are the check digits of the rest, such as 09 in the CPF 12345678909.
 *
 * @param heaviest The weight of the farthest character: 11 in a CPF, 9 in a CNPJ.
 */
function endsInCheckDigits(text: string, heaviest: number): boolean {
  const bare = text.slice(0, -2)
  const withFirst = bare + checkDigit(bare, heaviest)
  const withBoth = withFirst + checkDigit(withFirst, heaviest)
  return withBoth === text
}

/**
 * A check digit of a CPF or CNPJ: modulo 11 with the weights 2 to `heaviest`, which repeat from
 * right to left. With 9 as the heaviest, ten characters have the weights 3 2 9 8 7 6 5 4 3 2. A
 * digit counts as itself, and a letter as its ASCII code minus 48: A as 17.
 */
function checkDigit(text: string, heaviest: number): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const weight = 2 + ((text.length - 1 - i) % (heaviest - 1))
    sum += (text.charCodeAt(i) - 48) * weight
  }

  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}
