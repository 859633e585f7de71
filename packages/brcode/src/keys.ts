/**
 * The types of Pix key, as the DICT API names them (schema of KeyType). EVP is a random key.
 *
 * @example
 * const documents: readonly KeyKind[] = ['CPF', 'CNPJ']
 */
export type KeyKind = 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'EVP'

// DICT API, schema of Key; CNPJ with letters since Pix API 2.9.0.
const FORMS: readonly { readonly kind: KeyKind; readonly form: RegExp }[] = [
  { kind: 'EVP', form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
  { kind: 'CPF', form: /^\d{11}$/ },
  { kind: 'CNPJ', form: /^[\dA-Z]{12}\d{2}$/ },
  { kind: 'PHONE', form: /^\+[1-9]\d{2,15}$/ },
  {
    kind: 'EMAIL',
    form: /^[a-z\d.!#$&'*+/=?^_`{|}~-]+@[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/,
  },
]

/** The longest key of the DICT, an e-mail address. */
const MAX_KEY_LENGTH = 77

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
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH) return undefined
  return FORMS.find(({ form }) => form.test(key))?.kind
}
