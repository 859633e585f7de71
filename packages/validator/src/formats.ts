import type { Format } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'

/** The implemented formats. Those of ajv-formats are replaced where the standard is stricter. */
export const formats: Readonly<Record<string, Format>> = {
  date: fullFormats.date,
  // RFC 3339, section 5.6: ajv-formats accepts a space instead of the T, an offset without a colon,
  // and 23:60:60+00:01.
  'date-time': isDateTime,
  // RFC 9562, section 4: ajv-formats accepts a urn:uuid: prefix.
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  // RFC 3986, section 4.1: ajv-formats accepts quotes, and a colon in the first segment.
  uri: isUri,
  'uri-reference': isUriReference,
}

/** A date, `T`, hours to 23, minutes to 59, seconds, and `Z` or an offset with a colon. */
const DATE_TIME = /^[\d-]+t([01]\d|2[0-3]):[0-5]\d:[\d.]+(z|[+-]\d\d:\d\d)$/i

function isDateTime(text: string): boolean {
  const { validate } = fullFormats['date-time'] as { validate: (text: string) => boolean }
  return DATE_TIME.test(text) && validate(text)
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i

/** The characters of a path, of a query and of a fragment. */
const CHARACTERS =
  /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i

/** The authority with its slashes; the group is the content of brackets. */
const AUTHORITY =
  /^\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:\[([^\]]*)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?(?=[/?#]|$)/i

/** RFC 3986, section 3. */
function isUri(text: string): boolean {
  const [scheme] = SCHEME.exec(text) ?? []
  return scheme !== undefined && isAfterScheme(text.slice(scheme.length))
}

/** RFC 3986, section 4.1. Without a scheme the first segment of a path has no colon. */
function isUriReference(text: string): boolean {
  if (isUri(text)) return true
  const hasColonInFirstSegment = /^[^/?#]*:/.test(text)
  return !hasColonInFirstSegment && isAfterScheme(text)
}

/**
 * Whether a text can follow the scheme of a URI (`https:`), such as `//example.com:8443/a?b`: an
 * optional authority, which comes after two slashes, a path and so on.
 */
function isAfterScheme(text: string): boolean {
  if (!text.startsWith('//')) return CHARACTERS.test(text)

  const [authority, addressInBrackets] = AUTHORITY.exec(text) ?? []
  if (authority === undefined) return false
  if (addressInBrackets !== undefined && !isAddress(addressInBrackets)) return false
  return CHARACTERS.test(text.slice(authority.length))
}

/** The content of brackets: an IPv6 address or a future version. */
function isAddress(text: string): boolean {
  const isFutureVersion = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(text)
  return isFutureVersion || (fullFormats.ipv6 as RegExp).test(text)
}
