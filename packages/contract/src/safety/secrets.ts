/**
 * What the names of credentials contain, in lower case and without separators. They are names of
 * fields, parameters, headers, cookies and variables, also of other services.
 */
const CREDENTIAL_WORDS = [
  'authorization',
  'cookie',
  'credential',
  'secret',
  'token',
  'password',
  'passwd',
  'passphrase',
  // Portuguese for password.
  'senha',
  'apikey',
  'privatekey',
  'sessionid',
  'jwt',
  'bearer',
  'cvv',
]

/** Also the id of a look-up, which is enough to pay. */
const SECRET_WORDS = [...CREDENTIAL_WORDS, 'initiationid']

/** Whether the value of this name is a secret: `access_token`, `apiKey`, `Client-Secret`. */
export function isSecretName(name: string): boolean {
  // Of the type of a token, a program must know more than of the token (RFC 6749, section 7.1).
  const isType = /type$/i.test(name)
  return !isType && hasSecretWord(name)
}

/** Whether a text may have the name of a secret: if not, it has none. */
export function hasSecretWord(text: string): boolean {
  return hasWord(text, SECRET_WORDS)
}

/**
 * Whether a name is about a credential, or the type of one. A program of a guide prints no such
 * field. It may print the id of a look-up, which its next step sends.
 */
export function hasCredentialWord(name: string): boolean {
  return hasWord(name, CREDENTIAL_WORDS)
}

function hasWord(text: string, words: readonly string[]): boolean {
  const letters = text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return words.some((word) => letters.includes(word))
}

/** Secrets that begin with a word of their own: of webhooks and of look-ups. */
const PREFIXED = /\b(whsec_|ini_(?=[\w-]{8}))[\w+/=-]+/g

/** Replaces the secrets that their beginning shows. The beginning stays. */
export function withoutPrefixed(text: string, mask: string): string {
  return text.replaceAll(PREFIXED, `$1${mask}`)
}

/**
 * A name in a query or a form, if an equals sign follows. Without that sign it matches too, so that
 * no character is read twice.
 */
const PAIR = /[^&=?#;,\s{}"'\\/]+(=?)/g
/** Also in a string of JSON, which a quote or a backslash ends. */
const PAIR_VALUE = /[^&#\s"'\\]*/y
/** The user information of a URL (RFC 3986, section 3.2.1), whose slashes JSON may escape. */
const USER = /(:\\?\/\\?\/)[^\s/?#"'\\@]+@/g

/**
 * Masks the values of secret names in a text with pairs, such as a query or a form, and the user
 * information of URLs: `a=1&client_secret=x` → `a=1&client_secret=***`.
 */
export function withoutPairs(text: string, mask: string): string {
  let result = ''
  /** The text before this index is in the result already, masked. */
  let restStart = 0
  // The first group of a match is the equals sign after the name, or empty.
  for (const { 0: nameWithSign, 1: equals, index } of text.matchAll(PAIR)) {
    // A match in a value that was masked, such as `b` of `client_secret=a=b`.
    const isInMaskedValue = index < restStart
    if (isInMaskedValue) continue

    const isSecret = equals === '=' && isSecretName(decodedName(nameWithSign))
    if (!isSecret) continue

    const valueStart = index + nameWithSign.length
    result += text.slice(restStart, valueStart) + mask
    restStart = endOfPairValue(text, valueStart)
  }
  result += text.slice(restStart)
  // `https://user:secret@host` becomes `https://***@host`.
  return result.replaceAll(USER, `$1${mask}@`)
}

function endOfPairValue(text: string, start: number): number {
  PAIR_VALUE.lastIndex = start
  const [value = ''] = PAIR_VALUE.exec(text) ?? []
  return start + value.length
}

/** The name of a pair as its reader sees it. */
function decodedName(pair: string): string {
  return new URLSearchParams(pair).keys().next().value ?? pair
}
