import type { Format } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isHostName, isInternationalHostName } from './host-names.ts'

const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const CLOCK = '\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S'
const CALENDAR = '\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D'
const DURATION = new RegExp(`^P(?:\\d+W|(?:${CALENDAR})(?:T(?:${CLOCK}))?|T(?:${CLOCK}))$`)

/** Characters of RFC 3987, section 2.2. */
const UNICODE = /[\u{a0}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{ffef}\u{10000}-\u{1fffd}\u{20000}-\u{efffd}]/gu

const PRIVATE = /[\u{e000}-\u{f8ff}\u{f0000}-\u{10fffd}]/gu

/** RFC 6570, section 2. */
const VARIABLE = '(?:\\w|%[\\da-f]{2})(?:\\.?(?:\\w|%[\\da-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?'
const LITERAL = '[!#$&-;=?-[\\]_a-z~\\u{a0}-\\u{d7ff}\\u{e000}-\\u{10fffd}]|%[\\da-f]{2}'
const TEMPLATE = new RegExp(`^(?:${LITERAL}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`, 'iu')

/** The formats of ajv-formats, with stricter replacements. */
export const formats: Readonly<Record<string, Format>> = {
  ...fullFormats,
  // RFC 3339, section 5.6: ajv-formats accepts a space replacement of T.
  'date-time': isDateTime,
  // RFC 9562, section 4: ajv-formats accepts a urn:uuid: prefix.
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  // RFC 4648, section 4: ajv-formats accepts a string if one of its lines is base64 or empty.
  byte: /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
  // RFC 3986, section 4.1: ajv-formats accepts quotes, and a colon in the first segment.
  uri: isUri,
  'uri-reference': isUriReference,
  iri: (text) => isUri(withoutUnicode(text)),
  'iri-reference': (text) => isUriReference(withoutUnicode(text)),
  'uri-template': (text) => TEMPLATE.test(text),
  // RFC 3339, appendix A: ajv-formats accepts skipped units.
  duration: DURATION,
  // RFC 5321, section 4.1.2: ajv-formats rejects quotes and addresses in brackets.
  email: (text) => isMailbox(text, isHostName),
  // RFC 6531, section 3.3.
  'idn-email': (text) =>
    isMailbox(
      text,
      (host) => isInternationalHostName(host.normalize('NFC')),
      /[\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/gu,
    ),
  hostname: isHostName,
  'idn-hostname': isInternationalHostName,
  // ECMA-262 with Unicode, as JSON Schema requires.
  regex: isRegExp,
}

function isDateTime(text: string): boolean {
  const [date = '', time = '', ...rest] = text.split(/t/i)
  return rest.length === 0 && isDate(date) && TIME.test(time) && isSecond(time)
}

function isDate(text: string): boolean {
  const { date } = fullFormats
  return (date as { validate: (text: string) => boolean }).validate(text)
}

/** A leap second is the last second of a UTC day. */
function isSecond(time: string): boolean {
  if (time.slice(6, 8) !== '60') return true
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(time) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const local = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  return (((local - offset) % 1440) + 1440) % 1440 === 1439
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i
const CHARACTERS =
  /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i
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
  return !/^[^/?#]*:/.test(text) && isAfterScheme(text)
}

function isAfterScheme(text: string): boolean {
  if (!text.startsWith('//')) return CHARACTERS.test(text)
  const [authority, address] = AUTHORITY.exec(text) ?? []
  if (authority === undefined || (address !== undefined && !isAddress(address))) return false
  return CHARACTERS.test(text.slice(authority.length))
}

/** The content of brackets: an IPv6 address or a future version. */
function isAddress(text: string): boolean {
  return /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(text) || (fullFormats.ipv6 as RegExp).test(text)
}

/** Converts an IRI to a URI: replaces each non-URI character by `~`, which schemes cannot contain. */
function withoutUnicode(text: string): string {
  const end = text.includes('?') ? text.indexOf('?') : text.length
  return (
    text.slice(0, end).replace(UNICODE, '~') + text.slice(end).replace(UNICODE, '~').replace(PRIVATE, '~')
  )
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const LOCAL = new RegExp(`^(?:${ATOM}(?:\\.${ATOM})*|"(?:[ !#-[\\]-~]|\\\\[ -~])*")$`)

/** `letters` are additional letters allowed before the host. */
function isMailbox(text: string, isHost: (text: string) => boolean, letters = /(?!)/g): boolean {
  const at = text.lastIndexOf('@')
  if (at < 0 || !LOCAL.test(text.slice(0, at).replace(letters, 'a'))) return false
  const domain = text.slice(at + 1)
  const [, address] = /^\[(.*)\]$/.exec(domain) ?? []
  if (address === undefined) return isHost(domain)
  const [, ipv6] = /^IPv6:(.*)$/i.exec(address) ?? []
  return ((ipv6 === undefined ? fullFormats.ipv4 : fullFormats.ipv6) as RegExp).test(ipv6 ?? address)
}

function isRegExp(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
