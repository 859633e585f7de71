import {
  hasSecretWord,
  isSecretName,
  withoutPairs,
  withoutPrefixed,
} from '@partner-payments/contract'
import { Bounded } from '../model/bounded.ts'

/** So many secrets are remembered. */
const MAX_SECRETS = 2_000
/** The findings of one exchange show the same texts: so many are remembered, masked and with the secrets in them. */
const MAX_TEXTS = 20
/** A shorter secret is masked only as a whole value, since it may be part of any word. */
const MIN_LENGTH_IN_WORDS = 6

export type Mask = ReturnType<typeof createMask>

/**
 * Creates what replaces secrets in the text of reports by shell variables, such as `$TOKEN`. `pin` and `add`
 * remember secrets, `text` masks them.
 */
export function createMask() {
  const pinned = new Map<string, string>()
  const secrets = new Bounded<string, string>(MAX_SECRETS)
  /** What was masked since the last new secret: the secrets in a text, and the text without them. */
  const secretsByText = new Bounded<string, readonly (readonly [string, string])[]>(MAX_TEXTS)
  const maskedByText = new Bounded<string, string>(MAX_TEXTS)

  function forgetTexts(): void {
    secretsByText.clear()
    maskedByText.clear()
  }

  /** Lists the secrets in a text, each with what replaces it. The longest come first: one may contain another. */
  function listContainedSecrets(text: string): readonly (readonly [string, string])[] {
    const remembered = secretsByText.get(text)
    if (remembered !== undefined) return remembered

    const contained = [...pinned, ...secrets].filter(([secret]) => text.includes(secret))
    contained.sort(([a], [b]) => b.length - a.length)
    secretsByText.set(text, contained)
    return contained
  }

  return {
    /**
     * Masks a secret from a response with a variable: $TOKEN. The oldest are forgotten if there are
     * too many.
     */
    add(secret: string, name: string): void {
      if (secret === '' || pinned.has(secret)) return
      secrets.set(secret, name)
      forgetTexts()
    },
    /** Masks a secret that the user gave, which is never forgotten. A secret keeps its first variable. */
    pin(secret: string, name: string): void {
      if (secret === '' || pinned.has(secret)) return
      pinned.set(secret, name)
      forgetTexts()
    },
    /** The text with a variable in place of each secret. */
    text(text: string): string {
      const masked = maskedByText.get(text) ?? maskAll(text, listContainedSecrets(text))
      maskedByText.set(text, masked)
      return masked
    },
    /**
     * Creates what masks the parts of a text. It looks for all secrets in the whole text once, since there may be
     * hundreds of parts.
     */
    partsOf(whole: string): MaskPart {
      const contained = listContainedSecrets(whole)
      return (part, isWord = () => false) =>
        maskAll(
          part,
          contained.filter(([secret]) => !isWord(secret)),
        )
    },
  }
}

/**
 * Masks the secrets in a part of a text.
 *
 * @param isWord Whether a secret is a word that the part has anyway: then it stays.
 */
type MaskPart = (part: string, isWord?: (secret: string) => boolean) => string

const MARK = /\ue000(\d+)\ue001/g

/**
 * Masks secrets, each with its variable, and those that are recognised by their name. A numbered mark takes the place
 * of each secret at first, and its variable at the end: otherwise, a secret `TOKEN` would be found in the variable
 * `$TOKEN` of another one.
 */
function maskAll(text: string, secrets: readonly (readonly [string, string])[]): string {
  let marked = text
  for (const [i, [secret]] of secrets.entries())
    marked = replaceSecret(marked, secret, `\ue000${i}\ue001`)

  const variables = secrets.map(([, variable]) => variable)
  // A text may have a mark that none of these secrets left: it stays.
  return maskByName(marked).replaceAll(MARK, (mark, i: string) => variables[Number(i)] ?? mark)
}

/**
 * Replaces each occurrence of a secret by `mark`, except as the name of a JSON field: the secret `amount` stays in
 * `{"amount": …`. A short secret is replaced only as a whole value, since it may be a part of any word.
 */
function replaceSecret(text: string, secret: string, mark: string): string {
  return text.replaceAll(secret, (_, begin: number, whole: string) => {
    const end = begin + secret.length
    const isFieldName = whole[begin - 1] === '"' && whole.startsWith('":', end)
    if (isFieldName) return secret
    const isMasked = secret.length >= MIN_LENGTH_IN_WORDS || isWholeValue(whole, begin, end)
    return isMasked ? mark : secret
  })
}

const HIDDEN = '***'

/** Masks secrets that are recognised by the name of their field or by their form. */
function maskByName(text: string): string {
  let masked = hasSecretWord(text) ? removeEscapes(text) : text
  // `{"token":"abc"}`, also if that is a string in JSON.
  masked = maskFields(masked)
  masked = maskEscapedFields(masked)
  // `token=abc` and `https://me:abc@shop.example`
  masked = withoutPairs(masked, HIDDEN)
  // `whsec_` and what follows it
  masked = withoutPrefixed(masked, HIDDEN)
  // `"Bearer abc"`
  return masked.replaceAll(CREDENTIALS, `$1${HIDDEN}`)
}

/** A string of JSON that is the value of an Authorization header (RFC 9110, section 11.6.2). */
const CREDENTIALS = /(?<=")((?:Bearer|Basic) +)[\w.~+/-]+=*(?=")/gi

/** Writes a text without the escapes that some libraries write for `&`, `=` and `?` in URLs. */
function removeEscapes(text: string): string {
  return text.replaceAll(/\\u00(26|3d|3f)/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The name of a field of JSON, at most this long, so that each character is read a few times. */
const FIELD = /"((?:[^"\\]|\\.){1,64})"\s*:\s*/g
/** A field with a string, in JSON that is a string itself, and so has backslashes before quotes. */
const ESCAPED_FIELD = /(\\{1,15})"([^"\\]{1,64})\\{1,15}"\s*:\s*\\{1,15}"/g

/**
 * Masks secret fields in JSON that is itself a string in JSON, so that its quotes have backslashes:
 * `{\"token\":\"abc\"}` becomes `{\"token\":\"***\"}`.
 */
function maskEscapedFields(text: string): string {
  // `masked` is what replaces the text up to `readUntil`.
  let masked = ''
  let readUntil = 0
  for (const match of text.matchAll(ESCAPED_FIELD)) {
    const [field, backslashes = '', name = ''] = match
    const isInsideMasked = match.index < readUntil
    if (isInsideMasked || !isSecretName(name)) continue

    const begin = match.index + field.length
    masked += text.slice(readUntil, begin) + HIDDEN
    readUntil = findEndOfEscaped(text, begin, backslashes.length)
  }
  return masked + text.slice(readUntil)
}

/**
 * Finds where a string ends that has backslashes before its quotes: at the first quote with no more of them than the
 * opening quote has. `\"a\\\"b\"` ends at the quote after `b`, since that after `a` has three. Returns the index
 * before the backslashes of that quote.
 *
 * @param maxBackslashes The number before the opening quote.
 */
function findEndOfEscaped(text: string, begin: number, maxBackslashes: number): number {
  let quote = text.indexOf('"', begin)
  while (quote >= 0) {
    const backslashes = countBackslashesBefore(quote, text, begin)
    if (backslashes <= maxBackslashes) return quote - backslashes
    quote = text.indexOf('"', quote + 1)
  }
  return text.length
}

/** Counts the backslashes directly before an index, from `begin` on. */
function countBackslashesBefore(end: number, text: string, begin: number): number {
  let first = end
  while (first > begin && text[first - 1] === '\\') first--
  return end - first
}

/**
 * The name of a JSON field without escapes: `client\u005fsecret` is `client_secret`. A name with a broken
 * escape stays as it is.
 */
function unescapeName(name: string): string {
  if (!name.includes('\\')) return name
  try {
    return String(JSON.parse(`"${name}"`))
  } catch {
    return name
  }
}

/**
 * A string, a bracket, a number or word, or what separates them. A truncated string has no closing
 * quote.
 */
const TOKEN = /"(?:[^"\\]+|\\.?)*"?|[[{]|[\]}]|[^\s"[\]{},]+|[\s,]+/gs
/** A shorter one is an index or a count. */
const LONG_NUMBER = /\d{6,}/g
const STRING = /("(?:[^"\\]+|\\.?)*"?)(\s*:)?/gs

/**
 * Masks the values of secret fields in JSON: `{"token":["abc"]}` becomes `{"token":["***"]}`. Strings and
 * long numbers are masked, also inside arrays and objects.
 */
function maskFields(text: string): string {
  // `masked` is what replaces the text up to `readUntil`.
  let masked = ''
  let readUntil = 0
  for (const match of text.matchAll(FIELD)) {
    const [field, name = ''] = match
    const isInsideMasked = match.index < readUntil
    if (isInsideMasked || !isSecretName(unescapeName(name))) continue

    const begin = match.index + field.length
    const end = findEndOfValue(text, begin)
    const value = text.slice(begin, end).replaceAll(STRING, maskString)
    masked += text.slice(readUntil, begin) + value.replaceAll(LONG_NUMBER, HIDDEN)
    readUntil = end
  }
  return masked + text.slice(readUntil)
}

/** Masks a string, unless it is the name of a field or empty. */
function maskString(whole: string, text: string, colon?: string): string {
  const isFieldName = colon !== undefined
  const isEmpty = text === '""'
  return isFieldName || isEmpty ? whole : '"***"'
}

/**
 * Finds the index after the JSON value that begins at `begin`. An array or an object ends after the bracket
 * that closes it: in `["a",{"b":1}],"c"`, after the `]`. If it is cut off, returns the end of the text.
 */
function findEndOfValue(text: string, begin: number): number {
  let depth = 0
  let end = begin
  for (const [token] of text.slice(begin).matchAll(TOKEN)) {
    end += token.length
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
    if (depth <= 0) return end
  }
  return text.length
}

/**
 * Whether the text from `begin` to `end` is a whole value: all of the text, a JSON string (`"abc"`), a parameter
 * of a URL (`?token=abc&…`), a cookie (`token=abc; …`), or a credential after `Bearer`.
 */
function isWholeValue(text: string, begin: number, end: number): boolean {
  // What stands before a value, and what stands after one.
  const before = text.slice(0, begin)
  const isCredential = /^(?:Bearer|Basic) $/i.test(before)
  const isBegin = before === '' || before.endsWith('"') || before.endsWith('=') || isCredential
  const after = text[end]
  const isEnd = after === undefined || after === '"' || after === '&' || after === ';'
  return isBegin && isEnd
}
