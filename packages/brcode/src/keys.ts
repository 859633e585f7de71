/**
 * The types of Pix key, as the DICT API names them (schema of KeyType). EVP is a random key.
 *
 * @example
 * const documents: readonly KeyKind[] = ['CPF', 'CNPJ']
 */
export type KeyKind = 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'EVP'

// DICT API, schema of Key; CNPJ with letters since Pix API 2.9.0.
const FORMS: readonly (readonly [KeyKind, RegExp])[] = [
  ['EVP', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ['CPF', /^\d{11}$/],
  ['CNPJ', /^[\dA-Z]{12}\d{2}$/],
  ['PHONE', /^\+[1-9]\d{2,15}$/],
  [
    'EMAIL',
    /^[a-z\d.!#$&'*+/=?^_`{|}~-]+@[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/,
  ],
]

/**
 * The type of a Pix key by its format, or `undefined` if it is not a key (DICT API, schema of Key).
 *
 * Letters of e-mail addresses and random keys are lower case, those of a CNPJ upper case; a phone
 * begins with `+`, so eleven digits are always a CPF. Check digits are not validated, because
 * examples of the standard fail them: use {@link isCpf} and {@link isCnpj}.
 *
 * @example
 * keyKind('+5561912345678') // 'PHONE'
 * keyKind('12ABC34501DE35') // 'CNPJ'
 * keyKind('Fulano@Example.com') // undefined
 */
export function keyKind(key: string): KeyKind | undefined {
  if (typeof key !== 'string' || key.length > 77) return undefined
  return FORMS.find(([, form]) => form.test(key))?.[0]
}
