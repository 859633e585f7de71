import { brotliCompressSync, gzipSync } from 'node:zlib'
import { message, startRawServer } from './raw-server.ts'

/**
 * A server that responds as the next attack says. Counts the requests by the `description` of a
 * payment, or by the path of a rotation.
 */
export async function startHostileServer() {
  const counts = new Map()
  let attack

  function respond(socket, { method, path, body }) {
    if (method === 'GET') return socket.write(message(200, '{"users":[]}'))

    const [, name = path] = /"description":"([^"]+)"/.exec(body) ?? []
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    attack.respond(socket, count)
  }

  function greet(socket) {
    if (attack?.greeting) socket.write(attack.greeting)
  }

  const server = await startRawServer(respond, greet)
  return {
    ...server,
    countOf: (name) => counts.get(name) ?? 0,
    set(next) {
      attack = next
    },
  }
}

const PAID = JSON.stringify({
  id: 't',
  secret: 's',
  status: 'settled',
  data: { amount: '10.50', tariff: 'çãé' },
})
const OTHER = PAID.replace('10.50', '99.00')
const PROBLEM = 'content-type: application/problem+json\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'
const HTML_TYPE = 'content-type: text/html\r\n'

function problemOf(status, stated = status) {
  return JSON.stringify({
    type: 'about:blank',
    title: 'Refused',
    status: stated,
    code: 'refused',
  })
}

function chunk(bytes) {
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`)
  return Buffer.concat([size, bytes, Buffer.from('\r\n')])
}

/** A response in two chunks. */
function chunked(status, body, headers = '') {
  const bytes = Buffer.from(body)
  const half = bytes.length >> 1
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
 * Attacks on a request whose success has `status`. `means` is what the response proves: `ok`,
 * `http` (refused), or nothing (`outcome_unknown`). `mayRepeat` if it proves that the request was
 * not carried out.
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
            if (at === 0) socket[ending]()
            else socket.write(whole.subarray(0, at), () => socket[ending]())
          },
        }
      }
    }
  }
}

/** Statuses of success, redirect and refusal, and of errors. 401 is among the cuts. */
const STATUSES = [
  [200, 201, 202, 203, 205, 206, 226, 299],
  [300, 301, 302, 303, 304, 307, 308],
  [400, 402, 403, 404, 405, 406, 407, 408, 409],
  [411, 412, 413, 417],
  [421, 422, 423, 425, 426, 428, 429],
  [431, 451, 499],
  [500, 501, 502, 503, 504, 507, 511, 520, 599],
  [600, 999],
].flat()

/**
 * Client errors that a gateway may send by itself, unless they have the type of problem details.
 */
const GATEWAY_STATUSES = new Set([408, 429])

/** By name: the body and its headers, and whether it states that the request was refused. */
const BODIES = {
  nothing: {
    bodyOf: () => '',
    type: '',
    states: () => false,
  },
  JSON: {
    bodyOf: () => PAID,
    type: JSON_TYPE,
    states: () => false,
  },
  'JSON with the status': {
    bodyOf: (status) => JSON.stringify({ status }),
    type: JSON_TYPE,
    states: (status) => !GATEWAY_STATUSES.has(status),
  },
  HTML: {
    bodyOf: () => '<html>paid',
    type: HTML_TYPE,
    states: () => false,
  },
  problem: {
    bodyOf: (status) => problemOf(status),
    type: PROBLEM,
    states: () => true,
  },
  'problem of another status': {
    bodyOf: (status) => problemOf(status, 500),
    type: PROBLEM,
    states: () => false,
  },
}

function* statuses(success) {
  const headers = 'location: /elsewhere\r\nretry-after: 0\r\nwww-authenticate: Basic\r\n'
  for (const status of STATUSES) {
    for (const [name, { bodyOf, type, states }] of Object.entries(BODIES)) {
      // After a 421, the request may have been sent twice.
      const isClientError = status >= 400 && status < 500 && status !== 421
      const isRefused = isClientError && states(status)
      // Another JSON object lacks what a success must have.
      const isPaid = status === success && name === 'JSON'
      for (const end of ['kept', 'closed']) {
        yield {
          name: `${status} with ${name}, ${end}`,
          means: meaningOf(isPaid, isRefused),
          // Node's `fetch` takes a 407 for a failed connection.
          mayBe: status === 407 ? ['outcome_unknown'] : [],
          mayRepeat: isRefused,
          respond(socket) {
            socket.write(message(status, bodyOf(status), type + headers))
            if (end === 'closed') socket.end()
          },
        }
      }
    }
  }
}

function meaningOf(isPaid, isRefused) {
  if (isPaid) return 'ok'
  if (isRefused) return 'http'
  return 'outcome_unknown'
}

/**
 * An attack that writes bytes and then ends the connection. It proves nothing, unless `more` says
 * so.
 */
function say(name, bytes, more = {}) {
  return {
    name,
    means: 'outcome_unknown',
    mayBe: [],
    mayRepeat: false,
    respond(socket) {
      socket.write(bytes)
      setTimeout(() => socket.end(), 5)
    },
    ...more,
  }
}

function* malformed(status) {
  yield* wrongLengths(status)
  yield* wrongEncodings(status)
  yield* wrongBodies(status)
  yield* wrongFraming(status)
  yield* wrongHeads(status)
  yield* surplusResponses(status)
}

function* wrongLengths(status) {
  const bytes = Buffer.byteLength(PAID)
  const lengths = [
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
  ]
  for (const length of lengths) {
    const head = `HTTP/1.1 ${status} X\r\ncontent-length: ${length}\r\n\r\n`
    yield say(`content-length ${length}`, Buffer.from(head + PAID))
  }
}

function* wrongEncodings(status) {
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'br, gzip']) {
    const bytes = message(status, PAID, `content-encoding: ${encoding}\r\n`)
    // Node 20 does not know zstd, and returns the bytes as they are.
    const mayBe = encoding === 'zstd' ? ['ok'] : []
    yield say(`plain text as ${encoding}`, bytes, { mayBe })
  }
  yield* damaged(status, 'gzip', gzipSync(PAID))
  yield* damaged(status, 'br', brotliCompressSync(PAID))
}

/** Cuts a compressed body, and changes single bytes of it. */
function* damaged(status, encoding, body) {
  const header = `content-encoding: ${encoding}\r\n`
  for (let at = 1; at < body.length; at += 3) {
    // Only the checksum is missing at the end.
    const mayBe = at > body.length - 12 ? ['ok'] : []
    const bytes = message(status, body.subarray(0, at), header)
    yield say(`${encoding} cut at ${at}`, bytes, { mayBe })
  }
  for (let at = 2; at < body.length; at += 5) {
    const garbled = Buffer.from(body)
    garbled[at] ^= 0xff
    yield say(`${encoding} garbled at ${at}`, message(status, garbled, header), { mayBe: ['ok'] })
  }
}

function* wrongBodies(status) {
  // A rotation, whose success is a 200, repeats no amount.
  yield say('another amount', message(status, OTHER), { mayBe: status === 200 ? ['ok'] : [] })
  yield say('an array', message(status, `[${PAID}]`))
  yield say('null', message(status, 'null'))
  yield say('problem details as a success', message(status, problemOf(409), PROBLEM))
  yield say('JSON twice', message(status, PAID + PAID))
}

function* wrongFraming(status) {
  const start = `HTTP/1.1 ${status} X\r\n`
  const chunkedHead = 'transfer-encoding: chunked\r\n\r\n'
  yield say('an invalid chunk', Buffer.from(`${start}${chunkedHead}zz\r\n${PAID}`))
  yield say('chunks without an end', chunked(status, PAID).subarray(0, -5))
  yield say(
    'both lengths',
    Buffer.from(`${start}content-length: 3\r\n${chunkedHead}3\r\n{}a\r\n0\r\n\r\n`),
  )
  yield say('HTTP/0.9', Buffer.from(PAID))
  yield say('HTTP/2 preface', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))
}

function* wrongHeads(status) {
  const start = `HTTP/1.1 ${status} X\r\n`
  // Node 20 accepts it, but its `Response` cannot be copied.
  const nameless = Buffer.from(`${start}: x\r\n\r\n${PAID}`)
  yield say('a header without a name', nameless, { mayBe: ['ok'] })
  yield say('a header of 100 kB', Buffer.from(`${start}x: ${'a'.repeat(100_000)}\r\n\r\n${PAID}`))
  for (const interim of [100, 102, 103]) {
    const first = Buffer.from(`HTTP/1.1 ${interim} X\r\n\r\n`)
    const bytes = Buffer.concat([first, message(status, PAID)])
    yield say(`${interim} first`, bytes, { mayBe: ['ok'] })
  }
  yield say(
    'switched protocols',
    Buffer.from('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  )
}

/** Only the first response after the request counts. */
function* surplusResponses(status) {
  const success = message(status, PAID)
  const refusal = message(409, problemOf(409), PROBLEM)
  yield say('a surplus refusal', Buffer.concat([success, refusal]), { means: 'ok' })
  yield say('a surplus success', Buffer.concat([refusal, success]), {
    means: 'http',
    mayRepeat: true,
  })
  yield say('a response before the request', success, {
    greeting: refusal,
    mayBe: ['http', 'connection'],
  })
}
