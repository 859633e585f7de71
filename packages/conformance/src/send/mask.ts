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

/** Masks secrets that are recognised by the name of their field or by their form. */
function maskByName(text: string): string {
  return maskFields(text)
    .replaceAll(PARAMETER, '$1***')
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_***')
}

const FIELD = /"(?:access_token|refresh_token|secret|client_secret|password)"\s*:\s*/g
const PARAMETER =
  /([?&](?:access_token|refresh_token|secret|client_secret|password|token|api_key)=)[^&#\s"\\]+/gi
/**
 * A string, a bracket, a number or word, or what separates them. A truncated string has no closing
 * quote.
 */
const TOKEN = /"(?:[^"\\]+|\\.?)*"?|[[{]|[\]}]|[^\s"[\]{},]+|[\s,]+/gs
const STRING = /("(?:[^"\\]+|\\.?)*"?)(\s*:)?/gs

/** Masks the strings of secret fields, also in arrays and objects. The types stay visible. */
function maskFields(text: string): string {
  let shown = ''
  let at = 0
  for (const { 0: field, index } of text.matchAll(FIELD)) {
    if (index < at) continue
    const begin = index + field.length
    const end = endOfValue(text, begin)
    shown += text.slice(at, begin) + text.slice(begin, end).replaceAll(STRING, maskString)
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
