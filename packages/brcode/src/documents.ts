/**
 * Whether a text is a CPF with right check digits: eleven digits, no punctuation. Eleven times the same digit
 * satisfies the sum and is refused, since none was ever issued. Anything but a text of eleven characters is none.
 *
 * @example
 * isCpf('12345678909') // true
 * isCpf('123.456.789-09') // false
 */
export function isCpf(text: string): boolean {
  return hasForm(text, 11, /^(?!(.)\1+$)\d+$/) && endsInCheckDigits(text, 11)
}

/**
 * Whether a text is a CNPJ with right check digits: twelve digits or upper-case letters and two digits, no
 * punctuation (Instrução Normativa RFB 2.229/2024). One digit repeated is refused, as in {@link isCpf}, and so is
 * anything but a text of fourteen characters.
 *
 * @example
 * isCnpj('12ABC34501DE35') // true
 * isCnpj('00038166000105') // true
 */
export function isCnpj(text: string): boolean {
  return hasForm(text, 14, /^(?!(.)\1+$)[\dA-Z]+\d{2}$/) && endsInCheckDigits(text, 9)
}

// The length comes first: on a text of megabytes the form alone exhausts the stack.
function hasForm(text: string, length: number, form: RegExp): boolean {
  return typeof text === 'string' && text.length === length && form.test(text)
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
