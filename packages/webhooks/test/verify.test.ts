import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type DeliveryHeaders,
  generateSecret,
  type RawBody,
  type SignedHeaders,
  sign,
  type VerifyOptions,
  verify,
  WebhookError,
  type WebhookErrorCode,
} from '../src/index.ts'

const id = 'msg_2N8bYqQ1mWcXkZr7VtHs4L'
const seconds = 1793629805
const now = () => seconds * 1000
const secret = generateSecret()
const event = { type: 'transfer.settled', timestamp: '2026-11-02T14:30:04Z', data: { description: 'Almoço' } }
const text = JSON.stringify(event)
const body = new TextEncoder().encode(text)
const other = `v1,${'A'.repeat(43)}=` // no secret makes it
let headers: SignedHeaders

beforeAll(async () => {
  headers = await sign(body, secret, { id, now })
})

async function refusal(verified: Promise<unknown>): Promise<WebhookError> {
  const outcome = await verified.catch((error: unknown) => error)
  if (!(outcome instanceof WebhookError)) throw new Error('not refused by a WebhookError', { cause: outcome })
  return outcome
}

/** The error code of a delivery with the given changes. */
async function codeOf(change: { headers?: object; body?: unknown; secrets?: unknown; at?: number }) {
  const error = await refusal(
    verify(
      ('body' in change ? change.body : body) as RawBody,
      { ...headers, ...change.headers } as DeliveryHeaders,
      ('secrets' in change ? change.secrets : secret) as string,
      { now: () => (change.at ?? seconds) * 1000 },
    ),
  )
  return error.code
}

describe('accepts', () => {
  test.each<[string, () => RawBody]>([
    ['bytes', () => body],
    ['the bytes of a Buffer, which is a window on a larger store', () => Buffer.from(text)],
    ['an ArrayBuffer', () => body.buffer.slice(0)],
    ['bytes of another realm, as jsdom has them', () => runInNewContext('Uint8Array.from(body)', { body })],
    ['a string, as UTF-8', () => text],
  ])('a body of %s', async (_, bodyOf) => {
    expect(await verify(bodyOf(), headers, secret, { now })).toEqual(event)
  })

  test.each<[string, () => DeliveryHeaders]>([
    ['a Headers', () => new Headers(headers)],
    ['an object with names in any case', () => upperCased(headers)],
    ['an object with lists, as Node has them', () => mapped(headers, ([name, value]) => [name, [value]])],
    ['an object with a header called get', () => ({ ...headers, get: 'it' })],
    ['an object with other headers', () => ({ ...headers, cookie: ['a=1', 'b=2'], host: undefined })],
    ['an object with a name in another case and no value', () => ({ 'Webhook-Id': undefined, ...headers })],
  ])('headers in %s', async (_, headersOf) => {
    expect(await verify(body, headersOf(), secret, { now })).toEqual(event)
  })

  test('a timestamp up to 300 s from the clock, either way', async () => {
    for (const apart of [-300, 300])
      expect(await verify(body, headers, secret, { now: () => (seconds + apart) * 1000 })).toEqual(event)
  })

  test('a custom tolerance', async () => {
    const later = { now: () => (seconds + 3600) * 1000 }
    expect(await verify(body, headers, secret, { ...later, toleranceSeconds: 3600 })).toEqual(event)
    const refused = await refusal(verify(body, headers, secret, { ...later, toleranceSeconds: 3599 }))
    expect(refused.code).toBe('timestamp-too-old')
  })

  test('the real clock by default', async () => {
    expect(await verify(body, await sign(body, secret, { id }), secret)).toEqual(event)
    expect((await refusal(verify(body, headers, secret))).code).toMatch(/^timestamp-too-/)
  })

  test('either secret during a rotation, on either side', async () => {
    const next = generateSecret()
    const both = await sign(body, [next, secret], { id, now })
    expect(both['webhook-signature'].split(' ')).toHaveLength(2)
    for (const secrets of [secret, next, [secret, next], [generateSecret(), next]]) {
      expect(await verify(body, both, secrets, { now })).toEqual(event)
    }
    expect(await verify(body, headers, [next, secret], { now })).toEqual(event)
  })

  test('many signatures, the valid one last', async () => {
    const many = [...Array<string>(20).fill(other), headers['webhook-signature']].join(' ')
    expect(await verify(body, { ...headers, 'webhook-signature': many }, secret, { now })).toEqual(event)
  })
})

describe('with headerPrefix svix', () => {
  const options = { now, headerPrefix: 'svix' } as const

  test('refuses webhook headers, and the other way round', async () => {
    const missing = await refusal(verify(body, headers, secret, options))
    expect(missing).toMatchObject({ code: 'id-missing', message: 'svix-id is missing' })
    const signed = await sign(body, secret, { id, ...options })
    expect(await codeOfHeaders(signed)).toBe('id-missing')
  })

  test('ignores the headers with the other prefix', async () => {
    const signed = await sign(body, secret, { id, ...options })
    const forged = { id: 'msg_forged', timestamp: '1', signature: other }
    expect(await verify(body, { ...prefixed('svix', forged), ...headers }, secret, { now })).toEqual(event)
    expect(await verify(body, { ...prefixed('webhook', forged), ...signed }, secret, options)).toEqual(event)
  })

  test('refuses a replay with another id in the verified headers', async () => {
    const signed = await sign(body, secret, { id, ...options })
    // An attacker keeps the signed headers and changes the id by which the receiver deduplicates.
    const replayed = { ...headers, 'webhook-id': 'msg_other', ...signed }
    expect(await codeOfHeaders(replayed)).toBe('signature-mismatch')
    const reversed = { ...signed, 'svix-id': 'msg_other', ...headers }
    expect((await refusal(verify(body, reversed, secret, options))).code).toBe('signature-mismatch')
  })

  test.each(['id', 'timestamp', 'signature'] as const)(
    'does not take a missing %s from the other prefix',
    async (part) => {
      const signed = await sign(body, secret, { id, ...options })
      const given = { ...headers, ...signed, [`webhook-${part}`]: undefined }
      expect(await codeOfHeaders(given)).toBe(`${part}-missing`)
      const reversed = { ...headers, ...signed, [`svix-${part}`]: undefined }
      expect((await refusal(verify(body, reversed, secret, options))).code).toBe(`${part}-missing`)
    },
  )

  test.each([null, '', 'SVIX', 'x-webhook', 42])('refuses the prefix %o', async (odd) => {
    const wrong = { now, headerPrefix: odd as 'svix' }
    expect((await refusal(verify(body, headers, secret, wrong))).code).toBe('options-invalid')
    expect((await refusal(sign(body, secret, { id, ...wrong }))).code).toBe('options-invalid')
  })
})

describe('refuses', () => {
  test.each<[WebhookErrorCode, string, object]>([
    ['id-missing', 'no id', { 'webhook-id': undefined }],
    ['id-missing', 'an empty id', { 'webhook-id': '' }],
    ['id-invalid', 'an id with a full stop', { 'webhook-id': 'msg.1' }],
    ['id-invalid', 'an id with a space', { 'webhook-id': 'msg 1' }],
    ['id-invalid', 'an id that is not ASCII', { 'webhook-id': 'msg_ç' }],
    ['id-invalid', 'an id of 256 characters', { 'webhook-id': 'm'.repeat(256) }],
    ['id-invalid', 'two ids in a list', { 'webhook-id': [id, 'msg_1'] }],
    ['id-invalid', 'two ids in names of two cases', { 'Webhook-Id': 'msg_1' }],
    ['timestamp-missing', 'no timestamp', { 'webhook-timestamp': undefined }],
    ['timestamp-invalid', 'letters after the timestamp', { 'webhook-timestamp': `${seconds}abc` }],
    ['timestamp-invalid', 'a leading zero', { 'webhook-timestamp': `0${seconds}` }],
    ['timestamp-invalid', 'a sign', { 'webhook-timestamp': `+${seconds}` }],
    ['timestamp-invalid', 'a fraction', { 'webhook-timestamp': `${seconds}.0` }],
    ['timestamp-invalid', 'an exponent', { 'webhook-timestamp': '1793629805e0' }],
    ['timestamp-invalid', 'digits of another script', { 'webhook-timestamp': '１７９３６２９８０５' }],
    ['timestamp-invalid', 'a space', { 'webhook-timestamp': ` ${seconds}` }],
    ['timestamp-invalid', 'a line end', { 'webhook-timestamp': `${seconds}\n` }],
    ['timestamp-invalid', 'milliseconds', { 'webhook-timestamp': `${seconds}000` }],
    ['timestamp-too-old', 'a timestamp of 1970', { 'webhook-timestamp': '1' }],
    ['signature-missing', 'no signature', { 'webhook-signature': undefined }],
    ['signature-invalid', 'a signature without its version', { 'webhook-signature': 'K5oZfzN95Z9UVu1E' }],
    ['signature-invalid', 'signatures of other versions', { 'webhook-signature': 'v1a,AAAA v2,AAAA' }],
    ['signature-invalid', 'a header of 1025 characters', { 'webhook-signature': `v1,${'A'.repeat(1022)}` }],
    ['signature-mismatch', 'the signature of another delivery', { 'webhook-id': 'msg_1' }],
    ['signature-mismatch', 'a signature cut short', { 'webhook-signature': 'v1,K5oZf' }],
  ])('%s: %s', async (code, _, changed) => {
    expect(await codeOf({ headers: changed })).toBe(code)
  })

  test.each<[string, (good: string) => DeliveryHeaders]>([
    ['in a list, the right one first', (good) => ({ ...headers, 'webhook-signature': [good, other] })],
    ['in a list, the right one last', (good) => ({ ...headers, 'webhook-signature': [other, good] })],
    ['in a list, one of them empty', (good) => ({ ...headers, 'webhook-signature': ['', good] })],
    ['in a list, the right one twice', (good) => ({ ...headers, 'webhook-signature': [good, good] })],
    [
      'in names of two cases',
      (good) => ({ 'Webhook-Signature': other, ...headers, 'webhook-signature': good }),
    ],
    ['in a Headers, the right one first', (good) => appended(headers, good, other)],
    ['in a Headers, the right one last', (good) => appended(headers, other, good)],
  ])('signature-invalid: a header webhook-signature that is repeated, %s', async (_, repeated) => {
    const given = repeated(headers['webhook-signature'])
    expect((await refusal(verify(body, given, secret, { now }))).code).toBe('signature-invalid')
  })

  test.each([null, undefined, 42, 'webhook-id: msg_1', { 'webhook-id': Object.create(null) }])(
    'headers-invalid: %o',
    async (given) => {
      const refused = await refusal(verify(body, given as unknown as DeliveryHeaders, secret, { now }))
      expect(refused.code).toBe('headers-invalid')
    },
  )

  const odd: Record<string, (good: string) => unknown> = {
    'a number': Number,
    'a list with a number': (good) => [Number(good)],
    'a list in a list': (good) => [[good]],
    'an object with toString': (good) => ({ toString: () => good }),
    'a String': (good) => new String(good),
    null: () => null,
    'a list with null': (good) => [good, null],
  }
  test.each(Object.entries(odd))(
    'headers-invalid: %s as a timestamp, in an object or a Map',
    async (_, oddOf) => {
      const given = { ...headers, 'webhook-timestamp': oddOf(headers['webhook-timestamp']) }
      expect(await codeOf({ headers: given })).toBe('headers-invalid')
      const map = new Map<string, unknown>(Object.entries(given)) as unknown as DeliveryHeaders
      if (given['webhook-timestamp'] !== null) expect(await codeOfHeaders(map)).toBe('headers-invalid')
    },
  )

  test('a signature that decodes to the same bytes: other last bits, no padding', async () => {
    const signature = headers['webhook-signature']
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const last = alphabet.indexOf(signature.at(-2) ?? '')
    const spellings = [`${signature.slice(0, -2)}${alphabet[last + 1]}=`, signature.slice(0, -1)]
    for (const spelling of spellings) {
      expect(await codeOf({ headers: { 'webhook-signature': spelling } })).toBe('signature-mismatch')
    }
  })

  test('a timestamp one second beyond the tolerance, either way', async () => {
    expect(await codeOf({ at: seconds + 301 })).toBe('timestamp-too-old')
    expect(await codeOf({ at: seconds - 301 })).toBe('timestamp-too-new')
  })

  test.each<[string, unknown]>([
    ['no options', null],
    ['a number instead of a clock', { now: seconds * 1000 }],
    ['a clock that is null', { now: null }],
    ['a clock that returns NaN', { now: () => Number.NaN }],
    ['a clock that returns Infinity', { now: () => Number.POSITIVE_INFINITY }],
    ['a clock that returns a string', { now: () => `${seconds}000` }],
    ['a clock that returns microseconds', { now: () => seconds * 1e6 }],
    ['a clock before 1970', { now: () => -1 }],
    ['a tolerance of NaN', { now, toleranceSeconds: Number.NaN }],
    ['an infinite tolerance', { now, toleranceSeconds: Number.POSITIVE_INFINITY }],
    ['a tolerance that is a string', { now, toleranceSeconds: '300' }],
    ['a tolerance that is null', { now, toleranceSeconds: null }],
    ['a tolerance below zero', { now, toleranceSeconds: -1 }],
  ])('options-invalid: %s', async (_, options) => {
    const refused = await refusal(verify(body, headers, secret, options as VerifyOptions))
    expect(refused.code).toBe('options-invalid')
  })

  test.each<[string, unknown]>([
    ['a prefix in capitals', secret.replace('whsec_', 'WHSEC_')],
    ['the prefix alone', 'whsec_'],
    ['no prefix and 23 bytes', Buffer.alloc(23, 7).toString('base64')],
    ['the prefix twice', `whsec_${secret}`],
    ['the prefix of a public key', secret.replace('whsec_', 'whpk_')],
    ['no string', undefined],
    ['3 bytes', 'whsec_AAAA'],
    ['23 bytes', `whsec_${Buffer.alloc(23, 7).toString('base64')}`],
    ['65 bytes', `whsec_${Buffer.alloc(65, 7).toString('base64')}`],
    ['half its padding', `whsec_${Buffer.alloc(25, 7).toString('base64').slice(0, -1)}`],
    ['too much padding', `${secret}=`],
    ['a space at the end', `${secret} `],
    ['a character that is not base64', secret.replace(/.=$/, '*=')],
    ['the URL alphabet', `whsec_${'-'.repeat(32)}`],
    ['the URL alphabet without prefix', '_'.repeat(32)],
    ['last bits that base64 leaves unused', `whsec_${'A'.repeat(42)}B=`],
    ['last bits that base64 leaves unused, without padding', `${'A'.repeat(42)}B`],
    ['an empty array', []],
    ['more than 10', Array<string>(11).fill(secret)],
    ['an invalid one in an array', [secret, 'whsec_AAAA']],
  ])('a secret: %s', async (_, secrets) => {
    expect(await codeOf({ secrets })).toBe('secret-invalid')
    const signing = sign(body, secrets as string, { id, now })
    expect((await refusal(signing)).code).toBe('secret-invalid')
  })

  test('another secret', async () => {
    expect(await codeOf({ secrets: [generateSecret(), generateSecret()] })).toBe('signature-mismatch')
  })

  test.each([event, undefined, null, 42])('a parsed body: %o', async (parsed) => {
    expect(await codeOf({ body: parsed })).toBe('body-not-raw')
  })

  test('a body that was transferred to another thread', async () => {
    const transferred = body.slice()
    structuredClone(transferred, { transfer: [transferred.buffer] })
    for (const it of [transferred, transferred.buffer])
      expect(await codeOf({ body: it })).toBe('body-not-raw')
  })

  test('a lone surrogate instead of the signed U+FFFD', async () => {
    const signed = await sign('"\uFFFD"', secret, { id, now })
    for (const half of ['"\uD800"', '"\uDC00"', '"\uDC00\uD800"']) {
      expect((await refusal(verify(half, signed, secret, { now }))).code).toBe('body-not-utf8')
      expect((await refusal(sign(half, secret, { id, now }))).code).toBe('body-not-utf8')
    }
  })

  test('a reserialized body', async () => {
    expect(await codeOf({ body: JSON.stringify(event, null, 2) })).toBe('signature-mismatch')
  })

  test.each<[WebhookErrorCode, string, RawBody]>([
    ['body-not-utf8', 'bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['body-not-json', 'text that is not JSON', 'type=transfer.settled'],
    ['body-not-json', 'nothing', ''],
    ['body-not-json', 'JSON after a byte order mark', `\uFEFF${text}`],
  ])('%s: %s, though signed', async (code, _, odd) => {
    const error = await refusal(verify(odd, await sign(odd, secret, { id, now }), secret, { now }))
    expect(error.code).toBe(code)
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('an unsigned body before it is parsed', async () => {
    expect(await codeOf({ body: 'not JSON' })).toBe('signature-mismatch')
    expect(await codeOf({ body: Uint8Array.of(0xff) })).toBe('signature-mismatch')
  })
})

test('the event comes from the verified bytes, even if the buffer changes', async () => {
  const buffer = Uint8Array.from(body)
  const verified = verify(buffer, headers, secret, { now })
  buffer.fill(0x20)
  expect(await verified).toEqual(event)
})

test.each<[400 | 500, string, () => Promise<unknown>]>([
  [500, 'secrets', () => verify(body, headers, '', { now })],
  [500, 'headers', () => verify(body, null as unknown as DeliveryHeaders, secret, { now })],
  [500, 'options', () => verify(body, headers, secret, { now, toleranceSeconds: Number.NaN })],
  [500, 'parsed body', () => verify({} as string, headers, secret, { now })],
  [400, 'missing header', () => verify(body, {}, secret, { now })],
  [400, 'signature', () => verify('other', headers, secret, { now })],
  [400, 'text', async () => verify('no JSON', await sign('no JSON', secret, { id, now }), secret, { now })],
])('the status is %i if the fault is in the %s', async (status, _, call) => {
  expect((await refusal(call())).status).toBe(status)
})

test('no message contains a secret, a signature or the body', async () => {
  const errors = await Promise.all([
    refusal(verify('other', headers, secret, { now })),
    refusal(verify(body, headers, secret.slice(0, -3), { now })),
    refusal(verify(event as unknown as string, headers, secret, { now })),
  ])
  for (const { message } of errors) {
    expect(message).not.toContain(secret.slice(6, 20))
    expect(message).not.toContain(headers['webhook-signature'].slice(3, 20))
    expect(message).not.toContain('Almoço')
  }
})

async function codeOfHeaders(given: DeliveryHeaders): Promise<WebhookErrorCode> {
  return (await refusal(verify(body, given, secret, { now }))).code
}

function prefixed(prefix: string, parts: Record<string, string>): Record<string, string> {
  return mapped(parts, ([part, value]) => [`${prefix}-${part}`, value])
}

function appended(record: SignedHeaders, ...signatures: string[]): Headers {
  const all = new Headers({ ...record })
  all.delete('webhook-signature')
  for (const signature of signatures) all.append('webhook-signature', signature)
  return all
}

function upperCased(record: object): Record<string, string> {
  return mapped(record, ([name, value]) => [name.toUpperCase(), value])
}

function mapped<T>(record: object, change: (entry: [string, string]) => [string, T]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(change))
}
