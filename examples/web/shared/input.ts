import { keyKind, tryDecode } from '@partner-payments/brcode'

/**
 * What a person types, as the contract wants it; undefined if it is invalid. The page and the
 * server both ask here.
 */
export type Reader = (typed: string) => string | undefined

export const keyOf: Reader = (typed) => {
  const text = typed.trim()
  // E-mail addresses and random keys are in lower case, a CNPJ in upper case.
  const isLowerCase = text.includes('@') || text.includes('-')
  const key = isLowerCase ? text.toLowerCase() : text.toUpperCase()
  return keyKind(key) ? key : undefined
}

/** Lenient, because banks issue codes that are not strictly valid. */
export const codeOf: Reader = (typed) => {
  const code = typed.trim()
  return tryDecode(code, { profile: 'lenient' }).ok ? code : undefined
}

/** Above zero, with two decimals. */
export const amountOf: Reader = (typed) => {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  if (whole === undefined) return undefined
  const cents = decimals.padEnd(2, '0')
  const centavos = BigInt(whole + cents)
  return centavos > 0n ? `${whole}.${cents}` : undefined
}
