import { type KeyKind, keyKind } from '@partner-payments/brcode'

/**
 * Says what a text must be to have the form of a Pix key; undefined if it has. The result ends a
 * sentence, such as "It must be digits only, …" for 123.456.789-09. The forms are the assumption to
 * the open question `key-forms`.
 */
export function explainInvalidKey(key: string): string | undefined {
  if (keyKind(key)) return undefined

  // Each case names the one change that makes it a key.
  const trimmed = key.trim()
  if (isKeyOfKind(['EMAIL', 'EVP'], trimmed.toLowerCase())) {
    return key === trimmed ? 'in lower case, as an e-mail and an EVP are' : NO_SPACES
  }
  if (isPunctuatedDocument(trimmed)) return 'digits only, without the punctuation of a CPF or CNPJ'
  if (isKeyOfKind(['CNPJ'], trimmed.toUpperCase()))
    return 'in upper case, as the letters of a CNPJ are'
  if (isTelephone(trimmed)) return 'a telephone with + and no spaces, such as +5561912345678'
  if (keyKind(trimmed)) return NO_SPACES
  return 'an e-mail, a telephone with +, a CPF, a CNPJ or an EVP'
}

const NO_SPACES = 'without spaces and line breaks around it'

/** Whether a text has the form of a key of one of these kinds. */
function isKeyOfKind(kinds: readonly KeyKind[], key: string): boolean {
  const kind = keyKind(key)
  return kind !== undefined && kinds.includes(kind)
}

/** Such as 123.456.789-09 or 12.ABC.345/01DE-35. */
function isPunctuatedDocument(key: string): boolean {
  const isPunctuated = /[./-]/.test(key)
  return isPunctuated && isKeyOfKind(['CPF', 'CNPJ'], key.replaceAll(/[./-]/g, ''))
}

/**
 * Whether a text looks like a telephone number of Brazil, such as (61) 91234-5678, +55 61
 * 91234-5678 or 5561912345678.
 */
function isTelephone(key: string): boolean {
  const hasTelephoneCharactersOnly = /^[\d ()+.-]+$/.test(key)
  if (!hasTelephoneCharactersOnly) return false

  const digits = key.replaceAll(/\D/g, '')
  const isPunctuatedNumber = /[ ()+]/.test(key) && digits.length >= 8
  const hasCountryCode = /^55\d{10,11}$/.test(digits)
  return isPunctuatedNumber || hasCountryCode
}

/** Whether a CPF looks like a Brazilian mobile telephone: area code, 9, eight digits. */
export function isLikeTelephone(key: string): boolean {
  return /^[1-9]{2}9\d{8}$/.test(key)
}
