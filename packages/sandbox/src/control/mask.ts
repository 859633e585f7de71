/** Replaces a secret. */
const MASK = '••••••'
const NAME = /authorization|cookie|secret|token|password|api[-_]?key|initiation_id/i
/** A JSON field with a string or a number. A truncated string has no closing quote. */
const FIELD = /("(?:[^"\\]|\\.)*")(\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|-?[\d.eE+-]+)/gs
/** A field of a form or a query string. */
const PAIR = /([^&=?\s"{}]+)=([^&\s"]*)/g

/** Header fields with their secrets masked. Credentials keep their scheme (RFC 9110, section 11.4). */
export function maskedHeaders(headers: Iterable<readonly [string, string]>): [string, string][] {
  return [...headers].map(([name, value]) => [
    name,
    NAME.test(name) ? maskedCredentials(value) : masked(value),
  ])
}

/** Masks values whose field name suggests a secret, and webhook secrets. */
export function masked(text: string): string {
  return text
    .replace(/\b(whsec|ini)_[\w+/=-]{8,}/g, `$1_${MASK}`)
    .replace(FIELD, (whole, name: string, colon: string) =>
      NAME.test(unquoted(name)) ? `${name}${colon}"${MASK}"` : whole,
    )
    .replace(PAIR, (whole, name: string) => (NAME.test(decoded(name)) ? `${name}=${MASK}` : whole))
}

function maskedCredentials(value: string): string {
  const scheme = /^[A-Za-z]+ (?=\S)/.exec(value)?.[0] ?? ''
  return scheme + MASK
}

/** Decodes a field name as JSON does, because a name may contain escapes. */
function unquoted(name: string): string {
  try {
    return String(JSON.parse(name))
  } catch {
    return name
  }
}

function decoded(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? name
}
