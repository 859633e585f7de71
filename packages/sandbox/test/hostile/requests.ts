import { items, words } from './random.ts'

/** A request as bytes, and how many responses it must get. */
export interface Wired {
  readonly name: string
  readonly bytes: Buffer
  /** Minimum number of responses; 1 by default. */
  readonly responses?: number
  readonly isHead?: boolean
  /** Whether the client half-closes the connection after the bytes. */
  readonly half?: boolean
}

const USERS = '/mobile-bff/v1/partner/user'
const KEY = '/mobile-bff/v1/pix/dict/check/'
const BODY = '{"dict_key":"beltrana@example.com"}'

/** 300 requests with unusual lines, headers or framing. */
export function wiredRequests(bearer: string): Wired[] {
  return [
    ...TARGETS.map((target) => wired(target, { target, bearer })),
    ...QUERIES.map((query) => wired(query, { target: `${LISTED}?${query}`, bearer })),
    ...METHODS.map((method) => ({ ...wired(method, { method, bearer }), isHead: method === 'HEAD' })),
    ...authorizations(bearer).map((value) => wired(value, { headers: `Authorization: ${value}\r\n` })),
    ...HOSTS.map((host) => wired(`host ${host}`, { host, bearer })),
    ...TYPES.map((type) => posted(`type ${type}`, bearer, `Content-Type: ${type}\r\n`)),
    ...HEADERS.map((headers) => posted(headers.slice(0, 80), bearer, headers)),
    ...framed(bearer),
  ]
}

interface Line {
  readonly method?: string
  readonly target?: string
  readonly host?: string
  readonly bearer?: string
  readonly headers?: string
}

function wired(
  name: string,
  { method = 'GET', target = USERS, host = 'Host: a', bearer, headers = '' }: Line,
): Wired {
  const authorization = bearer ? `Authorization: ${bearer}\r\n` : ''
  const line = `${method} ${target} HTTP/1.1\r\n${host}\r\n`
  const text = `${line.replace(/\r\n\r\n$/, '\r\n')}${authorization}${headers}Connection: close\r\n\r\n`
  return { name, bytes: Buffer.from(text, 'latin1') }
}

/** A key lookup that is valid except for some headers. */
function posted(name: string, bearer: string, headers: string): Wired {
  const length = `Content-Length: ${BODY.length}\r\n`
  const { bytes } = wired(name, { method: 'POST', target: KEY, bearer, headers: headers + length })
  return { name, bytes: Buffer.concat([bytes, Buffer.from(BODY)]) }
}

const TARGETS = [
  ...words(`
    ${USERS}/ ${USERS}// /${USERS} /mobile-bff//v1/partner/user /mobile-bff/v1/partner/user/% ${USERS}/%zz
    ${USERS}/%00 ${USERS}/%2F ${USERS}/%2f.. ${USERS}/%ff ${USERS}/%c0%af ${USERS}/%ed%a0%80 ${USERS}/.
    ${USERS}/.. ${USERS}/../user ${USERS}/%2e%2e/user ${USERS}/%2E ${USERS}/a/b ${USERS};a=b ${USERS}#x
    ${USERS}/# ${USERS}? ${USERS}?? ${USERS}/<> ${USERS}/" ${USERS}/{} ${USERS}/| ${USERS}/^ / // /// /. /..
    /% /%2e /* * a ? # //a/b //a:99999/ /_sandbox /_sandbox/ /_sandbox/x /_sandbox/%00
    /_sandbox/../mobile-bff/v1/partner/user /assets/ /assets/../../etc/passwd /assets/%2e%2e/x /favicon.ico
    /%5f%73andbox/clock /__proto__ http://a${USERS} https://a${USERS} HTTP://a${USERS} ftp://a${USERS}
    http:// http://a http:/// http://u:p@a${USERS} http://[::1${USERS} http://a:99999${USERS} http:a a:80
    javascript:1 /MOBILE-BFF/v1/partner/user /mobile-bff/V1/partner/user /mobile-bff/v1/partner/%75ser
    ${USERS}%20 /mobile-bff/v1/partner/webhook/ /mobile-bff/v1/partner/webhook /pix/key/ /pix/key
    /mobile-bff/v2/x`),
  `${USERS}/\\`,
  `${USERS}\\..`,
  `${USERS}/${'x'.repeat(4_000)}`,
  `${USERS}/${'x'.repeat(20_000)}`,
  `${USERS}/${'%41'.repeat(3_000)}`,
  `${USERS}/\xe9`,
  `${USERS}/\xff\xfe`,
  '',
  '/\\',
  '\\',
]

const LISTED = '/mobile-bff/v1/pix/qrcode/dynamic/due-date'
const QUERIES = [
  ...words(`
    limit=1&limit=2 limit= limit limit=0 limit=101 limit=1;DROP limit=1%00 limit=%31 limit=1+1 limit=1e1
    limit=-1 limit[]=1 limit[a]=1 limit=1&LIMIT=x limit=NaN cursor= cursor=c_ cursor=c_MQ cursor=c_MQ%3D%3D
    cursor=c_LTE cursor=c_MA cursor=c_MDE cursor=c_OTk5OTk5OTk5OTk5OTk5OTk5OTk5 cursor=%00 cursor=%ff
    cursor=x cursor=c_MQ&cursor=c_MQ status=x status=ATIVA&status=CONCLUIDA status=%41TIVA tax_id= tax_id='
    tax_id=%00 __proto__=1 constructor=1 &&& = =&= %=% %zz=1 ?limit=1`),
  'limit=9'.repeat(500),
  'a=\xff',
  `a=${'x'.repeat(6_000)}`,
  '&'.repeat(5_000),
]

const METHODS = [
  ...words(`
    HEAD OPTIONS TRACE PUT POST PATCH DELETE CONNECT PROPFIND PURGE QUERY get Get FOO GETT GE PRI SOURCE
    M-SEARCH`),
  '',
  ' GET',
  'G\0T',
  'GET GET',
  'X'.repeat(9_000),
]

function authorizations(bearer: string): string[] {
  const token = bearer.slice('Bearer '.length)
  return [
    ...items(`
      | Bearer | bearer x | Basic | Basic x | Basic ! | Basic OmE= | Basic cGFydG5lcg== | Bearer${token}
      | Bearer ${token} x | Bearer ${token}, | Bearer "${token}" | Token ${token} | Bearer ${token}=
      | Bearer ${token.slice(1)} | Bearer ${token.toLowerCase()} | Basic ${token} | ${token} | : ${token}
      | Bearer ${'a'.repeat(12_000)} | Digest username="a" | Bearer __proto__ | null | Negotiate AAAA
      | Basic cGFydG5lcjpzZWNyZXQ= | BASIC  cGFydG5lcjpzZWNyZXQ | Bearer a b c | Bearer ' OR 1=1`),
    ...[' ', 'Bearer ', 'Basic ', `Bearer\t${token}`, 'Bearer \xff', 'Bearer a\x01'],
    ...['Bearer x', 'Basic cGFydG5lcjpzZWNyZXQ='].map((it) => `${it}\r\nAuthorization: ${bearer}`),
  ]
}

const HOSTS = [
  ...items(`
    X-No-Host: 1 | Host: | Host: a b | Host: a/b | Host: a@b | Host: a:b | Host: a:99999 | Host: [::1
    | Host: [::1] | Host: A.EXAMPLE:80 | Host: 0x7f.1 | Host: a,b | Host: %61 | Host: a?b | Host: a#b
    | Host: xn-- | Host: .. | Host: ${'a'.repeat(300)}`),
  ...['Host: ', 'Host: \xff', 'Host: a\r\nHost: b', 'Host: \\'],
]

const TYPES = [
  ...words(`
    application/json APPLICATION/JSON application/json;charset=utf-8 application/json;charset=latin1
    application/json; application/json,application/json application/jsonx application/problem+json
    application/vnd.api+json text/json text/plain text/plain;application/json multipart/form-data
    application/x-www-form-urlencoded image/png json / */* application application/ /json ; application/xml
    null`),
  '',
  ' ',
  'application/json ; charset="UTF-8"',
  'multipart/form-data; boundary=x',
  'application/json\xff',
  'application/json\r\nContent-Type: text/plain',
  'text/plain\r\nContent-Type: application/json',
  `a/${'b'.repeat(9_000)}`,
]

const JSON_TYPE = 'Content-Type: application/json\r\n'
const HEADERS = [
  ...['', ...['gzip', 'br', 'identity', 'x'].map((it) => `${JSON_TYPE}Content-Encoding: ${it}\r\n`)],
  ...['100-continue', '200-ok', 'x', ''].map((it) => `${JSON_TYPE}Expect: ${it}\r\n`),
  ...['text/html', 'application/xml;q=0', 'x'].map((it) => `${JSON_TYPE}Accept: ${it}\r\n`),
  ...['websocket', 'h2c', 'x'].map((it) => `${JSON_TYPE}Connection: Upgrade\r\nUpgrade: ${it}\r\n`),
  `${JSON_TYPE}X-Large: ${'x'.repeat(15_000)}\r\n`,
  `${JSON_TYPE}X-Large: ${'x'.repeat(20_000)}\r\n`,
  `${JSON_TYPE}X-Huge: ${'x'.repeat(200_000)}\r\n`,
  JSON_TYPE + 'a: b\r\n'.repeat(1_500),
  JSON_TYPE + 'a: b\r\n'.repeat(10_000),
  ...items(`
    a b: c | : c | a | a : b | __proto__: x | (: x | x-request-id: mine | x-forwarded-host: b
    | x-http-method-override: DELETE | range: bytes=0- | cookie: a=b`).map((it) => `${JSON_TYPE}${it}\r\n`),
  ...['a\0: b', 'a: b\0', ' a: b', 'a:\tb', 'a: b\r\n c', 'a: \x7f'].map((it) => `${JSON_TYPE}${it}\r\n`),
  ...['a: b\n', 'a: b\r', 'a: b\r\r\n', '\r'].map((it) => JSON_TYPE + it),
]

/** Bodies with a wrong length, several requests in one, other HTTP versions. */
function framed(bearer: string): Wired[] {
  const lengths = items(
    '-1 | +35 | 0x23 | 35.0 | 1e3 | a | 99999999999999999999 | 035 | 65537 | 35, 35 | 35, 36',
  )
  const encodings = items(
    'chunked, chunked | gzip | chunked, gzip | xchunked | identity | CHUNKED | "chunked"',
  )
  const end = '\r\n0\r\n\r\n'
  const chunks = [
    ...['0\r\n\r\n', 'z\r\n\r\n', '-1\r\n\r\n', 'ffffffffffffffffff\r\n', '23', `23;a=b\r\n${BODY}${end}`],
    ...[`22\r\n${BODY}${end}`, `24\r\n${BODY}${end}`, `23\r\n${BODY}\r\n0\r\na: b\r\n\r\n`, end],
  ]
  const versions = items(
    'HTTP/1.0 | HTTP/0.9 | HTTP/2.0 | HTTP/1.2 | HTTP/9.9 | HTTP | http/1.1 | HTTP/1.1 x |',
  )
  const big = `8000\r\n${' '.repeat(0x8000)}\r\n`.repeat(4)
  const close = 'Connection: close\r\n'
  const chunked = `${close}Transfer-Encoding: chunked\r\n\r\n`
  const length = (count: number | string) => `Content-Length: ${count}\r\n`
  const one = `${length(BODY.length)}\r\n${BODY}`
  const get = (version = 'HTTP/1.1') =>
    `GET ${USERS} ${version}\r\nHost: a\r\nAuthorization: ${bearer}\r\n${close}\r\n`
  const raw = (name: string, text: string, more: Partial<Wired> = {}): Wired => ({
    ...{ name, bytes: Buffer.from(text, 'latin1') },
    ...more,
  })
  const start = `POST ${KEY} HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer}\r\n${JSON_TYPE}`
  /** A key lookup with everything after the token replaced. */
  const rest = (name: string, text: string, more?: Partial<Wired>) => raw(name, start + text, more)
  const [half, none, two] = [{ half: true }, { half: true, responses: 0 }, { responses: 2 }]
  return [
    ...[...lengths, '', ' '].map((it) => rest(`length ${it}`, `${close}${length(it)}\r\n${BODY}`, half)),
    rest('longer than sent', `${close}${length(100)}\r\n${BODY}`, none),
    rest('shorter than sent', `${close}${length(5)}\r\n${BODY}`),
    rest('both lengths', `${close}${length(5)}Transfer-Encoding: chunked\r\n\r\n${BODY}`),
    rest('no length', `${close}\r\n${BODY}`),
    ...[...encodings, '\tchunked'].map((it) =>
      rest(it, `${close}Transfer-Encoding: ${it}\r\n\r\n${BODY}`, half),
    ),
    ...chunks.map((it) => rest(`chunk ${it.slice(0, 20)}`, chunked + it, none)),
    rest('chunks, fine', `${chunked}23\r\n${BODY}${end}`),
    rest('chunks beyond the limit', `${chunked}${big}0\r\n\r\n`),
    rest('chunks without an end', chunked + big),
    rest('pipelined', `${one}${get()}`, two),
    rest('pipelined refusals', `${length(2)}\r\n{}${get()}`, two),
    rest('pipelined, then nonsense', `${one}nonsense\r\n\r\n`, two),
    rest('smuggled', `${length(0)}\r\n${get()}`, two),
    ...versions.map((it) => raw(`version ${it}`, get(it))),
    raw('HTTP/1.0 without a host', `GET ${USERS} HTTP/1.0\r\nAuthorization: ${bearer}\r\n\r\n`),
    raw('HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    raw('TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
    raw('nonsense', 'nonsense\r\n\r\n'),
    raw('zeros', '\0'.repeat(100)),
    raw('blank lines before', `\r\n\r\n${get()}`),
    raw('bare line feeds', `GET ${USERS} HTTP/1.1\nHost: a\n\n`, half),
    raw('a proxy header', `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${get()}`),
  ]
}
