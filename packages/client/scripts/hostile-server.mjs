import { brotliCompressSync, gzipSync } from 'node:zlib'
import { message, startRawServer } from './raw-server.ts'

/**
 * A server that responds as the next attack says. Counts the requests by the `description` of a payment, or by the path of
 * a rotation.
 */
export async function startHostileServer() {
  const counts = new Map()
  let attack
  const respond = (socket, { method, path, body }) => {
    if (method === 'GET') return socket.write(message(200, '{"users":[]}'))
    const [, name = path] = /"description":"([^"]+)"/.exec(body) ?? []
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    attack.respond(socket, count)
  }
  const server = await startRawServer(
    respond,
    (socket) => attack?.greeting && socket.write(attack.greeting),
  )
  return { ...server, countOf: (name) => counts.get(name) ?? 0, set: (next) => (attack = next) }
}

const PAID = JSON.stringify({
  id: 't',
  secret: 's',
  status: 'settled',
  data: { amount: '10.50', tariff: 'çãé' },
})
const OTHER = PAID.replace('10.50', '99.00')
const problemOf = (status, stated = status) =>
  JSON.stringify({ type: 'about:blank', title: 'Refused', status: stated, code: 'refused' })
const PROBLEM = 'content-type: application/problem+json\r\n'

function chunked(status, body, headers = '') {
  const bytes = Buffer.from(body)
  const half = bytes.length >> 1
  const chunk = (it) =>
    Buffer.concat([Buffer.from(`${it.length.toString(16)}\r\n`), it, Buffer.from('\r\n')])
  const head = Buffer.from(`HTTP/1.1 ${status} X\r\n${headers}transfer-encoding: chunked\r\n\r\n`)
  return Buffer.concat([
    head,
    chunk(bytes.subarray(0, half)),
    chunk(bytes.subarray(half)),
    Buffer.from('0\r\n\r\n'),
  ])
}

function untilClose(status, body, headers = '') {
  return Buffer.from(`HTTP/1.1 ${status} X\r\n${headers}\r\n${body}`)
}

/**
 * Attacks on a request whose success has `status`. `means` is what the response proves: `ok`, `http` (refused), or nothing
 * (`outcome_unknown`). `mayRepeat` if it proves that the request was not carried out.
 */
export function* attacksOn(status, step = 1) {
  yield* cuts(status, step)
  yield* statuses(status)
  yield* malformed(status)
}

function* cuts(status, step) {
  const gzipped = gzipSync(PAID)
  const wholes = {
    'content-length': message(status, PAID),
    chunked: chunked(status, PAID),
    close: untilClose(status, PAID),
    gzip: message(status, gzipped, 'content-encoding: gzip\r\n'),
    problem: message(409, problemOf(409), PROBLEM),
    'problem until close': untilClose(409, problemOf(409), PROBLEM),
    'problem, chunked': chunked(422, problemOf(422), PROBLEM),
    401: message(401, '{"error":"token"}'),
    '401 until close': untilClose(401, '{"error":"token"}'),
  }
  for (const [form, whole] of Object.entries(wholes)) {
    for (const ending of ['end', 'resetAndDestroy']) {
      for (let at = 0; at < whole.length; at += step) {
        // A head is complete, and this body is delimited by the end of the connection alone.
        const isWhole401 = form === '401 until close' && whole.subarray(0, at).includes('\r\n\r\n')
        yield {
          name: `${form} cut at ${at} by ${ending}`,
          means: 'outcome_unknown',
          mayBe: isWhole401 ? ['http'] : [],
          mayRepeat: isWhole401,
          respond(socket) {
            if (at > 0) socket.write(whole.subarray(0, at), () => socket[ending]())
            else socket[ending]()
          },
        }
      }
    }
  }
}

function* statuses(success) {
  const bodies = {
    nothing: () => ['', ''],
    JSON: () => [PAID, 'content-type: application/json\r\n'],
    'JSON with the status': (status) => [
      JSON.stringify({ status }),
      'content-type: application/json\r\n',
    ],
    HTML: () => ['<html>paid', 'content-type: text/html\r\n'],
    problem: (status) => [problemOf(status), PROBLEM],
    'problem of another status': (status) => [problemOf(status, 500), PROBLEM],
  }
  const codes = [
    200, 201, 202, 203, 205, 206, 226, 299, 300, 301, 302, 303, 304, 307, 308, 400, 402, 403, 404,
    405,
  ]
  codes.push(
    406,
    407,
    408,
    409,
    411,
    412,
    413,
    417,
    421,
    422,
    423,
    425,
    426,
    428,
    429,
    431,
    451,
    499,
  )
  codes.push(500, 501, 502, 503, 504, 507, 511, 520, 599, 600, 999)
  const headers = 'location: /elsewhere\r\nretry-after: 0\r\nwww-authenticate: Basic\r\n'
  for (const status of codes) {
    for (const [of, bodyOf] of Object.entries(bodies)) {
      const [body, type] = bodyOf(status)
      const isClient = status >= 400 && status < 500 && status !== 421
      const isNamed = of === 'problem'
      const isStated = of === 'JSON with the status' && ![408, 429].includes(status)
      const isRefused = isClient && (isNamed || isStated)
      const isPaid = status === success && of.startsWith('JSON')
      for (const end of ['kept', 'closed']) {
        yield {
          name: `${status} with ${of}, ${end}`,
          means: isPaid ? 'ok' : isRefused ? 'http' : 'outcome_unknown',
          // Node's `fetch` takes a 407 for a failed connection.
          mayBe: status === 407 ? ['outcome_unknown'] : [],
          mayRepeat: isRefused,
          respond(socket) {
            socket.write(message(status, body, type + headers))
            if (end === 'closed') socket.end()
          },
        }
      }
    }
  }
}

function* malformed(status) {
  const whole = message(status, PAID)
  const say = (name, bytes, more = {}) => ({
    name,
    means: 'outcome_unknown',
    mayBe: [],
    mayRepeat: false,
    respond(socket) {
      socket.write(bytes)
      setTimeout(() => socket.end(), 5)
    },
    ...more,
  })
  const length = (value) =>
    Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: ${value}\r\n\r\n${PAID}`)
  const bytes = Buffer.byteLength(PAID)
  for (const wrong of [
    1,
    bytes - 1,
    bytes + 1,
    bytes + 1000,
    '-1',
    'x',
    '1e2',
    '',
    `${bytes}, 5`,
    '99999999999999999999',
  ])
    yield say(`content-length ${wrong}`, length(wrong))
  // Node 20 does not know zstd, and returns the bytes as they are.
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'br, gzip'])
    yield say(
      `plain text as ${encoding}`,
      message(status, PAID, `content-encoding: ${encoding}\r\n`),
      {
        mayBe: encoding === 'zstd' ? ['ok'] : [],
      },
    )
  for (const [encoding, body] of [
    ['gzip', gzipSync(PAID)],
    ['br', brotliCompressSync(PAID)],
  ]) {
    for (let at = 1; at < body.length; at += 3)
      // Only the checksum is missing at the end.
      yield say(
        `${encoding} cut at ${at}`,
        message(status, body.subarray(0, at), `content-encoding: ${encoding}\r\n`),
        {
          mayBe: at > body.length - 12 ? ['ok'] : [],
        },
      )
    for (let at = 2; at < body.length; at += 5) {
      const garbled = Buffer.from(body)
      garbled[at] ^= 0xff
      yield say(
        `${encoding} garbled at ${at}`,
        message(status, garbled, `content-encoding: ${encoding}\r\n`),
        { mayBe: ['ok'] },
      )
    }
  }
  yield say('another amount', message(status, OTHER), { mayBe: status === 200 ? ['ok'] : [] })
  yield say('an array', message(status, `[${PAID}]`))
  yield say('null', message(status, 'null'))
  yield say('problem details as a success', message(status, problemOf(409), PROBLEM))
  yield say('JSON twice', message(status, PAID + PAID))
  yield say(
    'an invalid chunk',
    Buffer.from(`HTTP/1.1 ${status} X\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${PAID}`),
  )
  yield say('chunks without an end', chunked(status, PAID).subarray(0, -5))
  yield say(
    'both lengths',
    Buffer.from(
      `HTTP/1.1 ${status} X\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{}a\r\n0\r\n\r\n`,
    ),
  )
  yield say('HTTP/0.9', Buffer.from(PAID))
  yield say('HTTP/2 preface', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))
  // Node 20 accepts it, but its `Response` cannot be copied.
  yield say('a header without a name', Buffer.from(`HTTP/1.1 ${status} X\r\n: x\r\n\r\n${PAID}`), {
    mayBe: ['ok'],
  })
  yield say(
    'a header of 100 kB',
    Buffer.from(`HTTP/1.1 ${status} X\r\nx: ${'a'.repeat(100_000)}\r\n\r\n${PAID}`),
  )
  for (const interim of [100, 102, 103])
    yield say(
      `${interim} first`,
      Buffer.concat([Buffer.from(`HTTP/1.1 ${interim} X\r\n\r\n`), whole]),
      {
        mayBe: ['ok'],
      },
    )
  yield say(
    'switched protocols',
    Buffer.from('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  )
  yield say('a surplus refusal', Buffer.concat([whole, message(409, problemOf(409), PROBLEM)]), {
    means: 'ok',
  })
  yield say('a surplus success', Buffer.concat([message(409, problemOf(409), PROBLEM), whole]), {
    means: 'http',
    mayRepeat: true,
  })
  yield say('a response before the request', whole, {
    greeting: message(409, problemOf(409), PROBLEM),
    mayBe: ['http', 'connection'],
  })
}
