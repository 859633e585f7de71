/** Replaces a secret. */
const MASK = '••••••'
const NAME = /authorization|cookie|secret|token|password|api[-_]?key|initiation_id/i
/** Up to the next quote that is not escaped. */
const SEGMENT = /(?:[^"\\]+|\\.?)*/sy
const COLON = /"\s*:\s*/y
/** A string, a bracket, a number or word, or what separates them. A truncated string has no closing quote. */
const TOKEN = /"(?:[^"\\]+|\\.?)*"?|[[{]|[\]}]|[^\s"[\]{},]+|[\s,]+/sy
/** The name of a field of a form or a query string, if an equals sign follows. */
const PAIR = /[^&=?;,\s{}]+(=?)/g
const VALUE = /[^&\s]*/y
/** A header value with credentials (RFC 9110, section 11.4), as clients also send in other headers. */
const CREDENTIALS = /^(basic|bearer) +[\w.~+/-]+=*$/i
/** Levels of escapes to decode. Each may double the text again, so what is escaped more often is masked as a whole. */
const MAX_LEVELS = 5

/** Header fields with their secrets masked. Credentials keep their scheme (RFC 9110, section 11.4). */
export function maskedHeaders(headers: Iterable<readonly [string, string]>): [string, string][] {
  return [...headers].map(([name, value]) => [
    name,
    NAME.test(name) || CREDENTIALS.test(value) ? maskedCredentials(value) : masked(value),
  ])
}

function maskedCredentials(value: string): string {
  const scheme = /^[A-Za-z]+ (?=\S)/.exec(value)?.[0] ?? ''
  return scheme + MASK
}

/**
 * Masks values whose field name suggests a secret, in JSON, forms and URLs, also if truncated; and webhook secrets. The
 * text is scanned once, because a sender chooses it.
 */
export function masked(text: string, levels = MAX_LEVELS): string {
  let shown = ''
  for (let at = 0; at < text.length; ) {
    const segment = matchAt(SEGMENT, text, at)
    at += segment.length
    shown += maskedSegment(segment, levels)
    const colon = matchAt(COLON, text, at)
    if (colon === '' || !NAME.test(unescaped(segment) ?? segment)) {
      shown += text.charAt(at++)
      continue
    }
    const end = endOfValue(text, at + colon.length)
    const value = text.slice(at + colon.length, end)
    shown += colon + (/^(true|false|null|)$/.test(value) ? value : `"${MASK}"`)
    at = end
  }
  return shown
}

/** The end of the JSON value that begins here. An array or an object ends with its last bracket. */
function endOfValue(text: string, begin: number): number {
  let depth = 0
  let at = begin
  while (at < text.length) {
    const token = matchAt(TOKEN, text, at)
    if (/^[[{]/.test(token)) depth++
    if (/^[\]}]/.test(token)) depth--
    if (depth < 0) return at
    at += token.length
    if (depth === 0) return at
  }
  return at
}

/** A string of JSON may contain JSON or a URL, with escapes. */
function maskedSegment(segment: string, levels: number): string {
  const text = unescaped(segment)
  if (text === undefined) return maskedPairs(segment)
  if (levels === 0) return MASK
  const shown = masked(text, levels - 1)
  return shown === text ? segment : JSON.stringify(shown).slice(1, -1)
}

/** The text of a JSON string that contains escapes; undefined if it has none, or is not JSON. */
function unescaped(segment: string): string | undefined {
  if (!segment.includes('\\')) return undefined
  return stringOf(segment) ?? stringOf(segment.replace(CUT_ESCAPE, ''))
}

const CUT_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i

function stringOf(content: string): string | undefined {
  try {
    return String(JSON.parse(`"${content}"`))
  } catch {
    return undefined
  }
}

function maskedPairs(text: string): string {
  let shown = ''
  let at = 0
  for (const { 0: name, 1: equals, index } of text.matchAll(PAIR)) {
    if (index < at || equals === '' || !NAME.test(decoded(name))) continue
    const value = index + name.length
    shown += text.slice(at, value) + MASK
    at = value + matchAt(VALUE, text, value).length
  }
  return maskedByForm(shown + text.slice(at))
}

/** Secrets that have a prefix, and the user information of a URL (RFC 3986, section 3.2.1). */
function maskedByForm(text: string): string {
  return text.replace(/\b(whsec|ini)_[\w+/=-]{8,}/g, `$1_${MASK}`).replace(/(:\/\/)[^\s/?#]+@/g, `$1${MASK}@`)
}

function decoded(name: string): string {
  return new URLSearchParams(name).keys().next().value ?? name
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
