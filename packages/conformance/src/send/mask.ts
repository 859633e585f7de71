import {
  hasSecretWord,
  isSecretName,
  withoutPairs,
  withoutPrefixed,
} from '@partner-payments/contract'
import { Bounded } from '../model/bounded.ts'

const MAX_SECRETS = 2_000
/** A shorter secret is masked only as a whole value, since it may be part of any word. */
const MIN_INSIDE = 6

export type Mask = ReturnType<typeof createMask>

/** Replaces secrets in the text of reports. */
export function createMask() {
  const pinned = new Map<string, string>()
  const secrets = new Bounded<string, string>(MAX_SECRETS)

  /** The longest first, since a secret can contain another. */
  function secretsIn(text: string): readonly (readonly [string, string])[] {
    const found = [...pinned, ...secrets].filter(([secret]) => text.includes(secret))
    return found.sort(([a], [b]) => b.length - a.length)
  }

  return {
    /**
     * Masks a secret from a response with a variable: $TOKEN. The oldest are forgotten if there are
     * too many.
     */
    add(secret: string, name: string): void {
      if (secret !== '' && !pinned.has(secret)) secrets.set(secret, name)
    },
    /** Masks a given secret for the whole run. The first variable is kept. */
    pin(secret: string, name: string): void {
      if (secret !== '' && !pinned.has(secret)) pinned.set(secret, name)
    },
    /**
     * The text with variables in place of secrets, but for those that are words of the text's own.
     */
    text(text: string, isWord: (secret: string) => boolean = () => false): string {
      const found = secretsIn(text).filter(([secret]) => !isWord(secret))
      // A mark takes the place of a secret until the end, since a variable can contain another
      // secret.
      let marked = text
      for (const [i, [secret]] of found.entries())
        marked = replaced(marked, secret, `\ue000${i}\ue001`)
      const variableOf = (mark: string, i: string) => found[Number(i)]?.[1] ?? mark
      return maskByName(marked).replaceAll(MARK, variableOf)
    },
  }
}

const MARK = /\ue000(\d+)\ue001/g

/** Replaces a secret, except as a field name, or as a part of a word if it is short. */
function replaced(text: string, secret: string, mark: string): string {
  return text.replaceAll(secret, (_, begin: number, whole: string) => {
    const end = begin + secret.length
    const isFieldName = whole[begin - 1] === '"' && whole.startsWith('":', end)
    if (isFieldName) return secret
    const isMasked = secret.length >= MIN_INSIDE || isWholeValue(whole, begin, end)
    return isMasked ? mark : secret
  })
}

const HIDDEN = '***'

/** Masks secrets that are recognised by the name of their field or by their form. */
function maskByName(text: string): string {
  const readable = hasSecretWord(text) ? withoutEscapes(text) : text
  const withoutFields = maskEscapedFields(maskFields(readable))
  const withoutParameters = withoutPairs(withoutFields, HIDDEN)
  return withoutPrefixed(withoutParameters, HIDDEN).replaceAll(CREDENTIALS, `$1${HIDDEN}`)
}

/** A string of JSON that is the value of an Authorization header (RFC 9110, section 11.6.2). */
const CREDENTIALS = /(?<=")((?:Bearer|Basic) +)[\w.~+/-]+=*(?=")/gi

/** Some libraries escape what stands between the parameters of a URL. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\u00(26|3d|3f)/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The name of a field of JSON, at most this long, so that each character is read a few times. */
const FIELD = /"((?:[^"\\]|\\.){1,64})"\s*:\s*/g
/** A field with a string, in JSON that is a string itself, and so has backslashes before quotes. */
const ESCAPED_FIELD = /(\\{1,15})"([^"\\]{1,64})\\{1,15}"\s*:\s*\\{1,15}"/g

function maskEscapedFields(text: string): string {
  let shown = ''
  let at = 0
  for (const { 0: field, 1: backslashes = '', 2: name = '', index } of text.matchAll(
    ESCAPED_FIELD,
  )) {
    if (index < at || !isSecretName(name)) continue
    const begin = index + field.length
    shown += text.slice(at, begin) + HIDDEN
    at = endOfEscaped(text, begin, backslashes.length)
  }
  return shown + text.slice(at)
}

/** Where a string ends: at a quote with at most as many backslashes as its first one. */
function endOfEscaped(text: string, begin: number, most: number): number {
  for (let quote = text.indexOf('"', begin); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote
    while (first > begin && text[first - 1] === '\\') first--
    if (quote - first <= most) return first
  }
  return text.length
}

/** A name as its reader sees it: `\u005f` is an underscore. */
function unescaped(name: string): string {
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
 * Masks the strings and the long numbers of secret fields, also in arrays and objects. The types of
 * strings stay visible.
 */
function maskFields(text: string): string {
  let shown = ''
  let at = 0
  for (const { 0: field, 1: name = '', index } of text.matchAll(FIELD)) {
    if (index < at || !isSecretName(unescaped(name))) continue
    const begin = index + field.length
    const end = endOfValue(text, begin)
    const value = text.slice(begin, end).replaceAll(STRING, maskString)
    shown += text.slice(at, begin) + value.replaceAll(LONG_NUMBER, HIDDEN)
    at = end
  }
  return shown + text.slice(at)
}

function maskString(whole: string, text: string, colon?: string): string {
  const isFieldName = colon !== undefined
  const isEmpty = text === '""'
  return isFieldName || isEmpty ? whole : '"***"'
}

function endOfValue(text: string, begin: number): number {
  let depth = 0
  TOKEN.lastIndex = begin
  for (let token = TOKEN.exec(text)?.[0]; token !== undefined; token = TOKEN.exec(text)?.[0]) {
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
    if (depth <= 0) return TOKEN.lastIndex
  }
  return text.length
}

/**
 * Whether the range is a whole value: all of the text, a JSON string, a parameter, a cookie or a
 * credential.
 */
function isWholeValue(text: string, begin: number, end: number): boolean {
  const before = text.slice(0, begin)
  const isCredential = /^(?:Bearer|Basic) $/i.test(before)
  const isBegin = before === '' || before.endsWith('"') || before.endsWith('=') || isCredential
  const after = text[end]
  const isEnd = after === undefined || after === '"' || after === '&' || after === ';'
  return isBegin && isEnd
}
