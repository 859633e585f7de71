import { items, words } from './words.ts'

/** A request as text, and how many responses it must get. */
export interface Wired {
  readonly text: string
  /** Minimum number of responses; 1 by default. */
  readonly responses?: number
  /** Whether the client half-closes the connection after the text. */
  readonly half?: boolean
}

const USERS = '/mobile-bff/v1/partner/user'
const BODY = '{"dict_key":"beltrana@example.com"}'
const CLOSE = 'Connection: close\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

/** Requests with unusual lines, headers or framing. */
export function wiredRequests(bearer: string): Wired[] {
  const signed = `Authorization: ${bearer}\r\n`
  const got = (line: string, headers = `Host: a\r\n${signed}`) => `${line}\r\n${headers}${CLOSE}\r\n`
  /** A key lookup that is valid up to its headers. */
  const posted = (rest: string) =>
    `POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1\r\nHost: a\r\n${signed}${rest}`
  const first = posted(`${JSON_TYPE}Content-Length: ${BODY.length}\r\n\r\n${BODY}`)
  const last = got(`GET ${USERS} HTTP/1.1`)
  const texts = [
    ...TARGETS.map((target) => got(`GET ${target} HTTP/1.1`)),
    ...METHODS.map((method) => got(`${method} ${USERS} HTTP/1.1`)),
    ...HEADERS.map((it) => posted(`${JSON_TYPE}${it}${CLOSE}Content-Length: ${BODY.length}\r\n\r\n${BODY}`)),
    ...BODIES.map((body) => posted(JSON_TYPE + CLOSE + body)),
    ...[last.replace('GET', '\r\n\r\nGET'), `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${last}`],
    ...['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '\0'.repeat(100)],
  ]
  return [
    ...texts.map((text) => ({ text })),
    ...HALF.map((body) => ({ text: posted(JSON_TYPE + CLOSE + body), half: true })),
    ...CUT.map((body) => ({ text: posted(JSON_TYPE + CLOSE + body), half: true, responses: 0 })),
    ...[last, 'nonsense\r\n\r\n'].map((next) => ({ text: first + next, responses: 2 })),
    { text: posted(`${JSON_TYPE}Content-Length: 2\r\n\r\n{}${last}`), responses: 2 },
    { text: posted(`${JSON_TYPE}Content-Length: 0\r\n\r\n${last}`), responses: 2 },
  ]
}

const TARGETS = [
  ...words(`
    ${USERS}/ ${USERS}// /${USERS} /mobile-bff//v1/partner/user /mobile-bff/v1/partner/user/% ${USERS}/%zz ${USERS}/%00
    ${USERS}/%2F ${USERS}/%ff ${USERS}/%c0%af ${USERS}/%ed%a0%80 ${USERS}/. ${USERS}/../user ${USERS}/%2e%2e/user
    ${USERS}/a/b ${USERS};a=b ${USERS}#x ${USERS}? ${USERS}?? ${USERS}/<> ${USERS}/" ${USERS}/| / // /. /.. /% /* * a
    ? # //a/b //a:99999/ /_sandbox /_sandbox/ /_sandbox/x /_sandbox/%00 /_sandbox/../mobile-bff/v1/partner/user /assets/
    /assets/../../etc/passwd /assets/%2e%2e/x /%5f%73andbox/clock /__proto__ http://a${USERS} HTTP://a${USERS}
    ftp://a${USERS} http:// http:/// http://u:p@a${USERS} http://[::1${USERS} http://a:99999${USERS} http:a a:80
    javascript:1 /MOBILE-BFF/v1/partner/user /mobile-bff/v1/partner/%75ser ${USERS}%20 /pix/key/ /mobile-bff/v2/x`),
  ...[`${USERS}/\\`, `${USERS}\\..`, `${USERS}/\xff\xfe`, '', '\\', `${USERS}/${'x'.repeat(4_000)}`],
  ...[`${USERS}/${'x'.repeat(20_000)}`, `${USERS}/${'%41'.repeat(3_000)}`],
]

// HEAD is absent, because its responses have no body to check.
const METHODS = [
  ...words('OPTIONS TRACE PUT POST PATCH DELETE CONNECT PROPFIND QUERY get FOO GETT PRI SOURCE M-SEARCH'),
  ...['', ' GET', 'G\0T', 'GET GET', 'X'.repeat(9_000)],
]

const HEADERS = [
  ...items(`
    Content-Encoding: gzip | Content-Encoding: identity | Expect: 100-continue | Expect: x | Accept: text/html
    | Connection: Upgrade\r\nUpgrade: websocket | Connection: Upgrade\r\nUpgrade: h2c | a b: c | : c | a | a : b
    | __proto__: x | (: x | x-request-id: mine | x-http-method-override: DELETE | range: bytes=0- | cookie: a=b`),
  ...['a\0: b', 'a: b\0', ' a: b', 'a: b\r\n c', 'a: \x7f', 'a: b\r', 'a: b\r\r', '\r'],
  ...[15_000, 20_000, 200_000].map((length) => `X-Large: ${'x'.repeat(length)}`),
  ...[1_500, 10_000].map((count) => Array(count).fill('a: b').join('\r\n')),
].map((it) => `${it}\r\n`)

const BIG = `8000\r\n${' '.repeat(0x8000)}\r\n`.repeat(4)

const BODIES = [
  ...[`Content-Length: 5\r\n\r\n${BODY}`, `Content-Length: 5\r\n${CHUNKED}\r\n${BODY}`, `\r\n${BODY}`],
  ...[`${CHUNKED}\r\n23\r\n${BODY}\r\n0\r\n\r\n`, `${CHUNKED}\r\n${BIG}0\r\n\r\n`, `${CHUNKED}\r\n${BIG}`],
]

const HALF = [
  ...words('-1 +35 0x23 35.0 1e3 a 99999999999999999999 035 65537 35,35 35,36').map(
    (it) => `Content-Length: ${it}`,
  ),
  ...items('chunked, chunked | gzip | chunked, gzip | xchunked | identity | CHUNKED | "chunked"').map(
    (it) => `Transfer-Encoding: ${it}`,
  ),
].map((it) => `${it}\r\n\r\n${BODY}`)

const CUT = [
  `Content-Length: 100\r\n\r\n${BODY}`,
  ...[
    '0\r\n\r\n',
    'z\r\n\r\n',
    '-1\r\n\r\n',
    'ffffffffffffffffff\r\n',
    '23',
    `23;a=b\r\n${BODY}\r\n0\r\n\r\n`,
  ].map((it) => `${CHUNKED}\r\n${it}`),
  ...['22', '24'].map((size) => `${CHUNKED}\r\n${size}\r\n${BODY}\r\n0\r\n\r\n`),
]
