import { hasSecretWord, isSecretName, withoutPrefixed } from '@partner-payments/contract'

const MASK = '••••••'
/** The name of a field of JSON. */
const FIELD = /"([^"]*)"\s*:\s*/g
/** The name of a field of a form or a query string, if an equals sign follows. */
const PAIR = /[^&=?;,\s{}]+(=?)/g
/**
 * The value of a pair. No quote ends it, as one does in `withoutPairs` of the contract package: strings
 * of JSON are parsed before, so a quote may be part of a secret.
 */
const VALUE = /[^&\s]*/y
/**
 * A header value with credentials (RFC 9110, section 11.4), as clients also send in other headers.
 */
const CREDENTIALS = /^(basic|bearer) +[\w.~+/-]+=*$/i

/**
 * Header fields with their secrets masked. Credentials keep their scheme (RFC 9110, section 11.4).
 */
export function maskedHeaders(headers: Iterable<readonly [string, string]>): [string, string][] {
  return [...headers].map(([name, value]) => [name, maskedHeader(name, value)])
}

function maskedHeader(name: string, value: string): string {
  const isSecret = isSecretName(name) || CREDENTIALS.test(value)
  return isSecret ? maskedCredentials(value) : masked(value)
}

function maskedCredentials(value: string): string {
  const scheme = /^[A-Za-z]+ (?=\S)/.exec(value)?.[0] ?? ''
  return scheme + MASK
}

/**
 * Masks values whose field name suggests a secret, in JSON, forms and URLs, also inside strings of
 * JSON; and webhook secrets. The time grows with the length, because a sender chooses the text.
 */
export function masked(text: string): string {
  // Without one of these characters, there is no field, pair, user information or prefix.
  if (!/["=@_]/.test(text)) return text
  return withoutPrefixed(maskedJson(text) ?? maskedText(text), MASK)
}

/** Masks the secrets in a text of JSON; undefined if the text is no object, array or string of JSON. */
function maskedJson(text: string): string | undefined {
  const mayBeJson = /^\s*[[{"]/.test(text)
  if (!mayBeJson) return undefined
  try {
    return rewriteJson(text)
  } catch {
    // Not JSON, or nested too deeply.
    return undefined
  }
}

/**
 * Masks the secrets in a text of JSON. A text that cannot have a secret stays as it was written,
 * with its white space.
 */
function rewriteJson(text: string): string {
  let hasMasked = false
  const maskedValue = JSON.parse(text, (name: string, value: unknown) => {
    const maskedFieldValue = maskedField(name, value)
    if (maskedFieldValue !== value) hasMasked = true
    return maskedFieldValue
  })

  // Of two fields with one name, JSON.parse drops the first, which may be a secret. Escapes such as
  // \u0073 can hide the word of its name.
  const mayHaveDropped = hasSecretWord(text) || text.includes('\\u')
  const mayHaveSecret = hasMasked || mayHaveDropped
  return mayHaveSecret ? JSON.stringify(maskedValue) : text
}

/** Null, true and false are no secrets. */
function maskedField(name: string, value: unknown): unknown {
  const canBeSecret = value !== null && typeof value !== 'boolean'
  if (canBeSecret && isSecretName(name)) return MASK
  return typeof value === 'string' ? masked(value) : value
}

/**
 * Masks a text that may be JSON that was cut, such as `{"a":1,"client_secret":"x1y`. There nothing
 * says where a value ends, so everything after the name of a secret is masked.
 */
function maskedText(text: string): string {
  const fields = [...text.matchAll(FIELD)]
  const secret = fields.find(([, name = '']) => isSecretName(name))
  if (!secret) return maskedPairs(text)

  const [field] = secret
  const before = text.slice(0, secret.index)
  return `${maskedPairs(before)}${field}"${MASK}"`
}

/**
 * Masks the values of secret names in a text with pairs, such as a query or a form:
 * `a=1&client_secret=x` → `a=1&client_secret=••••••`. Also masks the user information of URLs.
 */
function maskedPairs(text: string): string {
  let result = ''
  /** The text before this index is in the result already, masked. */
  let restStart = 0
  // The first group of a match is the equals sign after the name, or empty.
  for (const { 0: nameWithSign, 1: equals, index } of text.matchAll(PAIR)) {
    // A match in a value that was masked, such as `b` of `client_secret=a=b`.
    const isInMaskedValue = index < restStart
    if (isInMaskedValue) continue

    const isSecret = equals !== '' && isSecretName(decoded(nameWithSign))
    if (!isSecret) continue

    const valueStart = index + nameWithSign.length
    result += text.slice(restStart, valueStart) + MASK
    restStart = endOfValue(text, valueStart)
  }
  result += text.slice(restStart)
  // The user information of a URL (RFC 3986, section 3.2.1).
  return result.replace(/(:\/\/)[^\s/?#]+@/g, `$1${MASK}@`)
}

function endOfValue(text: string, start: number): number {
  VALUE.lastIndex = start
  const [value = ''] = VALUE.exec(text) ?? []
  return start + value.length
}

function decoded(name: string): string {
  return new URLSearchParams(name).keys().next().value ?? name
}
