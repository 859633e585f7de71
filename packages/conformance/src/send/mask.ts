/** Replaces secrets in the text of reports. */
export interface Mask {
  /** Masks a secret from a response with a variable: $TOKEN. The oldest are forgotten if there are too many. */
  add(secret: string, name: string): void
  /** Masks a given secret for the whole run. The first variable is kept. */
  pin(secret: string, name: string): void
  /** The text with variables in place of secrets, but for those that are words of the text's own. */
  text(text: string, isWord?: (secret: string) => boolean): string
}

/** A piece of text; `isName` marks a variable that replaces a secret. */
interface Piece {
  readonly text: string
  readonly isName: boolean
}

const MAX_SECRETS = 2_000
/** A shorter secret is masked only as a whole value, since it may be part of any word. */
const MIN_INSIDE = 6

export function createMask(): Mask {
  const pinned = new Map<string, string>()
  const secrets = new Map<string, string>()

  /** The longest first, since a secret can contain another. */
  function secretsIn(text: string): readonly (readonly [string, string])[] {
    const found: (readonly [string, string])[] = []
    for (const all of [pinned, secrets]) for (const it of all) if (text.includes(it[0])) found.push(it)
    return found.sort(([a], [b]) => b.length - a.length)
  }

  return {
    add(secret, name) {
      if (secret === '' || pinned.has(secret)) return
      secrets.delete(secret)
      secrets.set(secret, name)
      const [oldest] = secrets.keys()
      if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest)
    },
    pin(secret, name) {
      if (secret !== '' && !pinned.has(secret)) pinned.set(secret, name)
    },
    text(text, isWord = () => false) {
      let pieces: Piece[] = [{ text, isName: false }]
      for (const [secret, name] of secretsIn(text).filter(([secret]) => !isWord(secret)))
        pieces = pieces.flatMap((it) => (it.isName ? [it] : splitAt(it, secret, name)))
      return pieces.map((it) => (it.isName ? it.text : maskByName(it.text))).join('')
    },
  }
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
/** A string, a bracket, a number or word, or what separates them. A truncated string has no closing quote. */
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
  return colon || text === '""' ? whole : '"***"'
}

function endOfValue(text: string, begin: number): number {
  let depth = 0
  TOKEN.lastIndex = begin
  for (let token = TOKEN.exec(text)?.[0]; token !== undefined; token = TOKEN.exec(text)?.[0]) {
    if (/^[[{]/.test(token)) depth++
    if (/^[\]}]/.test(token)) depth--
    if (depth <= 0) return TOKEN.lastIndex
  }
  return text.length
}

/** Replaces a secret by its variable, except as a field name. */
function splitAt({ text }: Piece, secret: string, name: string): Piece[] {
  const found: Piece[] = []
  let begin = 0
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    if (text[at - 1] === '"' && text.startsWith('":', at + secret.length)) continue
    if (secret.length < MIN_INSIDE && !isWholeValue(text, at, at + secret.length)) continue
    found.push({ text: text.slice(begin, at), isName: false }, { text: name, isName: true })
    begin = at + secret.length
  }
  return [...found, { text: text.slice(begin), isName: false }].filter((it) => it.text !== '')
}

/** Whether the range is a whole value: all of the text, a JSON string, a parameter, a cookie or a credential. */
function isWholeValue(text: string, begin: number, end: number): boolean {
  return /(?:^|["=]|^(?:Bearer|Basic) )$/i.test(text.slice(0, begin)) && /^(?:$|["&;])/.test(text.slice(end))
}
