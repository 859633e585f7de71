import { type KeyKind, keyKind } from '@partner-payments/brcode'

/**
 * What is wrong with the spelling of a key, to complete "It must be …"; undefined if it has the form
 * of one. This is the assumption to the open question `key-forms`.
 */
export function keyFault(key: string): string | undefined {
  if (keyKind(key)) return undefined

  const trimmed = key.trim()
  if (isOf(['EMAIL', 'EVP'], trimmed.toLowerCase())) {
    return key === trimmed ? 'in lower case, as an e-mail and an EVP are' : NO_SPACES
  }
  if (isPunctuatedDocument(trimmed)) return 'digits only, without the punctuation of a CPF or CNPJ'
  if (isOf(['CNPJ'], trimmed.toUpperCase())) return 'in upper case, as the letters of a CNPJ are'
  if (isTelephone(trimmed)) return 'a telephone with + and no spaces, such as +5561912345678'
  if (keyKind(trimmed)) return NO_SPACES
  return 'an e-mail, a telephone with +, a CPF, a CNPJ or an EVP'
}

const NO_SPACES = 'without spaces and line breaks around it'

function isOf(kinds: readonly KeyKind[], key: string): boolean {
  const kind = keyKind(key)
  return kind !== undefined && kinds.includes(kind)
}

/** Such as 123.456.789-09 or 12.ABC.345/01DE-35. */
function isPunctuatedDocument(key: string): boolean {
  const isPunctuated = /[./-]/.test(key)
  return isPunctuated && isOf(['CPF', 'CNPJ'], key.replaceAll(/[./-]/g, ''))
}

/** Such as (61) 91234-5678, +55 61 91234-5678 or 5561912345678. */
function isTelephone(key: string): boolean {
  const hasOnlyItsCharacters = /^[\d ()+.-]+$/.test(key)
  if (!hasOnlyItsCharacters) return false

  const digits = key.replaceAll(/\D/g, '')
  const hasItsPunctuation = /[ ()+]/.test(key) && digits.length >= 8
  return hasItsPunctuation || /^55\d{10,11}$/.test(digits)
}

/** Whether a CPF looks like a Brazilian mobile telephone: area code, 9, eight digits. */
export function isLikeTelephone(key: string): boolean {
  return /^[1-9]{2}9\d{8}$/.test(key)
}
