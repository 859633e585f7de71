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
  verifySync,
  type WebhookError,
  type WebhookErrorCode,
} from '../src/index.ts'

const id = 'msg_2N8bYqQ1mWcXkZr7VtHs4L'
const seconds = 1793629805
const now = () => seconds * 1000
const secret = generateSecret()
const event = {
  type: 'transfer.settled',
  timestamp: '2026-11-02T14:30:04Z',
  data: { description: 'Almoço' },
}
const text = JSON.stringify(event)
const body = new TextEncoder().encode(text)
const other = `v1,${'A'.repeat(43)}=` // no secret makes it
let headers: SignedHeaders

beforeAll(async () => {
  headers = await sign(body, secret, { id, now })
})

/** A delivery with some other headers, and the refusal of it. */
interface ChangedHeaders {
  readonly code: WebhookErrorCode
  readonly what: string
  readonly changed: object
}

interface Change {
  readonly body?: unknown
  /** Replaces single headers. */
  readonly headers?: object
  /** Replaces all headers. */
  readonly all?: unknown
  readonly secrets?: unknown
  readonly options?: unknown
}

/**
 * Verifies the delivery with changes, of any type, and expects the same of the function that is
 * synchronous.
 */
async function verified(change: Change = {}): Promise<unknown> {
  // With `in`, since a change to undefined counts.
  const changedBody = 'body' in change ? change.body : body
  const changedHeaders = 'all' in change ? change.all : { ...headers, ...change.headers }
  const changedSecrets = 'secrets' in change ? change.secrets : secret
  const { options = { now } } = change
  const args = [
    changedBody as RawBody,
    changedHeaders as DeliveryHeaders,
    changedSecrets as string,
    options as VerifyOptions,
  ] as const

  // First, since a test changes the buffer as soon as a promise is returned.
  const syncOutcome = outcomeOf(() => verifySync(...args))
  const outcome = await verify(...args).catch((error: unknown) => error)
  expect(syncOutcome).toEqual(outcome)
  if (outcome instanceof Error) throw outcome
  return outcome
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

async function expectCode(outcome: Promise<unknown>, code: WebhookErrorCode) {
  await expect(outcome).rejects.toMatchObject({ name: 'WebhookError', code })
}

describe('accepts', () => {
  const bodies: readonly { what: string; bodyOf: () => RawBody }[] = [
    { what: 'bytes', bodyOf: () => body },
    {
      what: 'the bytes of a Buffer, which is a window on a larger store',
      bodyOf: () => Buffer.from(text),
    },
    { what: 'an ArrayBuffer', bodyOf: () => body.buffer.slice(0) },
    {
      what: 'bytes of another realm, as jsdom has them',
      bodyOf: () => runInNewContext('Uint8Array.from(body)', { body }),
    },
    { what: 'a string, as UTF-8', bodyOf: () => text },
  ]

  for (const { what, bodyOf } of bodies) {
    test(`a body of ${what}`, async () => {
      expect(await verified({ body: bodyOf() })).toEqual(event)
    })
  }

  const kinds: readonly { what: string; headersOf: () => DeliveryHeaders }[] = [
    { what: 'a Headers', headersOf: () => new Headers(headers) },
    { what: 'an object with names in any case', headersOf: () => upperCased(headers) },
    {
      what: 'an object with lists, as Node has them',
      headersOf: () => mapped(headers, ([name, value]) => [name, [value]]),
    },
    { what: 'an object with a header called get', headersOf: () => ({ ...headers, get: 'it' }) },
    {
      what: 'an object with other headers',
      headersOf: () => ({ ...headers, cookie: ['a=1', 'b=2'], host: undefined }),
    },
    {
      what: 'an object with a name in another case and no value',
      headersOf: () => ({ 'Webhook-Id': undefined, ...headers }),
    },
  ]

  for (const { what, headersOf } of kinds) {
    test(`headers in ${what}`, async () => {
      expect(await verified({ all: headersOf() })).toEqual(event)
    })
  }

  test('a timestamp up to 300 s from the clock by default, either way', async () => {
    const at = (apart: number, more = {}) =>
      verified({ options: { now: () => now() + apart * 1000, ...more } })
    for (const apart of [-300, 300]) expect(await at(apart)).toEqual(event)
    await expectCode(at(301), 'timestamp-too-old')
    await expectCode(at(-301), 'timestamp-too-new')
    expect(await at(3600, { toleranceSeconds: 3600 })).toEqual(event)
    await expectCode(at(3600, { toleranceSeconds: 3599 }), 'timestamp-too-old')
  })

  test('the real clock by default', async () => {
    expect(await verified({ all: await sign(body, secret, { id }), options: {} })).toEqual(event)
    await expect(verified({ options: {} })).rejects.toThrow('behind the clock')
  })

  test('either secret during a rotation, on either side', async () => {
    const next = generateSecret()
    const both = await sign(body, [next, secret], { id, now })
    expect(both['webhook-signature'].split(' ')).toHaveLength(2)
    for (const secrets of [secret, next, [secret, next], [generateSecret(), next]])
      expect(await verified({ all: both, secrets })).toEqual(event)
    expect(await verified({ secrets: [next, secret] })).toEqual(event)
  })
})

describe('with headerPrefix svix', () => {
  const options = { now, headerPrefix: 'svix' } as const
  let signed: SignedHeaders<'svix'>
  beforeAll(async () => {
    signed = await sign(body, secret, { id, ...options })
  })

  test('ignores the headers with the other prefix', async () => {
    const forged = { id: 'msg_forged', timestamp: '1', signature: other }
    expect(await verified({ headers: prefixed('svix', forged) })).toEqual(event)
    expect(await verified({ all: { ...prefixed('webhook', forged), ...signed }, options })).toEqual(
      event,
    )
  })

  test('refuses a replay with another id in the verified headers', async () => {
    // An attacker keeps the signed headers and changes the id by which the receiver deduplicates.
    const replayed = { ...headers, 'webhook-id': 'msg_other', ...signed }
    await expectCode(verified({ all: replayed }), 'signature-mismatch')
    const reversed = { ...signed, 'svix-id': 'msg_other', ...headers }
    await expectCode(verified({ all: reversed, options }), 'signature-mismatch')
  })

  test.each(['id', 'timestamp', 'signature'] as const)(
    'does not take a missing %s from the other prefix',
    async (part) => {
      const both = { ...headers, ...signed }
      await expectCode(
        verified({ all: { ...both, [`webhook-${part}`]: undefined } }),
        `${part}-missing`,
      )
      const outcome = verified({ all: { ...both, [`svix-${part}`]: undefined }, options })
      const message = `svix-${part} is missing`
      await expect(outcome).rejects.toMatchObject({ code: `${part}-missing`, message })
    },
  )

  test.each([null, '', 'SVIX', 'x-webhook', 42])('refuses the prefix %o', async (odd) => {
    const wrong = { now, headerPrefix: odd as 'svix' }
    await expectCode(verified({ options: wrong }), 'options-invalid')
    await expectCode(sign(body, secret, { id, ...wrong }), 'options-invalid')
  })
})

describe('refuses', () => {
  const changes: readonly ChangedHeaders[] = [
    { code: 'id-missing', what: 'no id', changed: { 'webhook-id': undefined } },
    { code: 'id-missing', what: 'an empty id', changed: { 'webhook-id': '' } },
    { code: 'id-invalid', what: 'an id with a full stop', changed: { 'webhook-id': 'msg.1' } },
    { code: 'id-invalid', what: 'an id with a space', changed: { 'webhook-id': 'msg 1' } },
    { code: 'id-invalid', what: 'an id that is not ASCII', changed: { 'webhook-id': 'msg_ç' } },
    {
      code: 'id-invalid',
      what: 'an id of 256 characters',
      changed: { 'webhook-id': 'm'.repeat(256) },
    },
    { code: 'id-invalid', what: 'two ids in a list', changed: { 'webhook-id': [id, 'msg_1'] } },
    {
      code: 'id-invalid',
      what: 'two ids in names of two cases',
      changed: { 'Webhook-Id': 'msg_1' },
    },
    {
      code: 'timestamp-missing',
      what: 'no timestamp',
      changed: { 'webhook-timestamp': undefined },
    },
    {
      code: 'timestamp-invalid',
      what: 'letters after the timestamp',
      changed: { 'webhook-timestamp': `${seconds}abc` },
    },
    {
      code: 'timestamp-invalid',
      what: 'a leading zero',
      changed: { 'webhook-timestamp': `0${seconds}` },
    },
    { code: 'timestamp-invalid', what: 'a sign', changed: { 'webhook-timestamp': `+${seconds}` } },
    {
      code: 'timestamp-invalid',
      what: 'digits of another script',
      changed: { 'webhook-timestamp': '１７９３６２９８０５' },
    },
    { code: 'timestamp-invalid', what: 'a space', changed: { 'webhook-timestamp': ` ${seconds}` } },
    {
      code: 'timestamp-invalid',
      what: 'a line end',
      changed: { 'webhook-timestamp': `${seconds}\n` },
    },
    {
      code: 'timestamp-invalid',
      what: 'milliseconds',
      changed: { 'webhook-timestamp': `${seconds}000` },
    },
    {
      code: 'timestamp-too-old',
      what: 'a timestamp of 1970',
      changed: { 'webhook-timestamp': '1' },
    },
    {
      code: 'signature-missing',
      what: 'no signature',
      changed: { 'webhook-signature': undefined },
    },
    {
      code: 'signature-invalid',
      what: 'a signature without its version',
      changed: { 'webhook-signature': 'K5oZfzN95Z9UVu1E' },
    },
    {
      code: 'signature-invalid',
      what: 'signatures of other versions',
      changed: { 'webhook-signature': 'v1a,AAAA v2,AAAA' },
    },
    {
      code: 'signature-invalid',
      what: 'a header of 1025 characters',
      changed: { 'webhook-signature': `v1,${'A'.repeat(1022)}` },
    },
    {
      code: 'signature-mismatch',
      what: 'the signature of another delivery',
      changed: { 'webhook-id': 'msg_1' },
    },
    {
      code: 'signature-mismatch',
      what: 'a signature cut short',
      changed: { 'webhook-signature': 'v1,K5oZf' },
    },
  ]

  for (const { code, what, changed } of changes) {
    test(`${code}: ${what}`, () => expectCode(verified({ headers: changed }), code))
  }

  const repetitions: readonly { where: string; repeated: (good: string) => DeliveryHeaders }[] = [
    {
      where: 'in a list, the right one first',
      repeated: (good) => ({ ...headers, 'webhook-signature': [good, other] }),
    },
    {
      where: 'in a list, the right one last',
      repeated: (good) => ({ ...headers, 'webhook-signature': [other, good] }),
    },
    {
      where: 'in a list, one of them empty',
      repeated: (good) => ({ ...headers, 'webhook-signature': ['', good] }),
    },
    {
      where: 'in a list, the right one twice',
      repeated: (good) => ({ ...headers, 'webhook-signature': [good, good] }),
    },
    {
      where: 'in names of two cases',
      repeated: (good) => ({ 'Webhook-Signature': other, ...headers, 'webhook-signature': good }),
    },
    {
      where: 'in a Headers, the right one first',
      repeated: (good) => appended(headers, good, other),
    },
    {
      where: 'in a Headers, the right one last',
      repeated: (good) => appended(headers, other, good),
    },
  ]

  for (const { where, repeated } of repetitions) {
    test(`signature-invalid: a header webhook-signature that is repeated, ${where}`, () =>
      expectCode(verified({ all: repeated(headers['webhook-signature']) }), 'signature-invalid'))
  }

  test.each([undefined, null, 42, 'webhook-id: msg_1', { 'webhook-id': Object.create(null) }])(
    'headers-invalid: %o',
    (given) => expectCode(verified({ all: given }), 'headers-invalid'),
  )

  test.each<{ what: string; oddOf: (good: string) => unknown }>([
    { what: 'a number', oddOf: Number },
    { what: 'a list with a number', oddOf: (good) => [Number(good)] },
    { what: 'a String', oddOf: (good) => new String(good) },
    { what: 'a list with null', oddOf: (good) => [good, null] },
  ])('headers-invalid: $what as a timestamp, in an object or a Map', async ({ oddOf }) => {
    const given = { ...headers, 'webhook-timestamp': oddOf(headers['webhook-timestamp']) }
    await expectCode(verified({ all: given }), 'headers-invalid')
    const map = new Map<string, unknown>(Object.entries(given))
    await expectCode(verified({ all: map }), 'headers-invalid')
  })

  // The `get` of a Map returns null too where a Headers has no such name.
  test('headers-invalid: null as a timestamp, in an object', () =>
    expectCode(verified({ all: { ...headers, 'webhook-timestamp': null } }), 'headers-invalid'))

  test('a signature that decodes to the same bytes: other last bits, no padding', async () => {
    const signature = headers['webhook-signature']
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const last = alphabet.indexOf(signature.at(-2) ?? '')
    const otherBits = `${signature.slice(0, -2)}${alphabet[last + 1]}=`
    const unpadded = signature.slice(0, -1)
    for (const alike of [otherBits, unpadded])
      await expectCode(verified({ headers: { 'webhook-signature': alike } }), 'signature-mismatch')
  })

  test.each<{ what: string; options: unknown }>([
    { what: 'no options', options: null },
    { what: 'a number instead of a clock', options: { now: seconds * 1000 } },
    { what: 'a clock that is null', options: { now: null } },
    { what: 'a clock that returns NaN', options: { now: () => Number.NaN } },
    {
      what: 'a clock that returns a string',
      options: { now: () => `${seconds}000` },
    },
    {
      what: 'a clock that returns microseconds',
      options: { now: () => seconds * 1e6 },
    },
    { what: 'a clock before 1970', options: { now: () => -1 } },
    {
      what: 'a tolerance of NaN',
      options: { now, toleranceSeconds: Number.NaN },
    },
    {
      what: 'a tolerance that is a string',
      options: { now, toleranceSeconds: '300' },
    },
    {
      what: 'a tolerance that is null',
      options: { now, toleranceSeconds: null },
    },
    { what: 'a tolerance below zero', options: { now, toleranceSeconds: -1 } },
  ])('options-invalid: $what', ({ options }) =>
    expectCode(verified({ options }), 'options-invalid'),
  )

  test.each<{ what: string; secrets: unknown }>([
    { what: 'a prefix in capitals', secrets: secret.replace('whsec_', 'WHSEC_') },
    { what: 'the prefix alone', secrets: 'whsec_' },
    { what: 'no prefix and 23 bytes', secrets: Buffer.alloc(23, 7).toString('base64') },
    { what: 'the prefix twice', secrets: `whsec_${secret}` },
    { what: 'the prefix of a public key', secrets: secret.replace('whsec_', 'whpk_') },
    { what: 'no string', secrets: undefined },
    { what: '23 bytes', secrets: `whsec_${Buffer.alloc(23, 7).toString('base64')}` },
    { what: '65 bytes', secrets: `whsec_${Buffer.alloc(65, 7).toString('base64')}` },
    {
      what: 'half its padding',
      secrets: `whsec_${Buffer.alloc(25, 7).toString('base64').slice(0, -1)}`,
    },
    { what: 'too much padding', secrets: `${secret}=` },
    { what: 'a space at the end', secrets: `${secret} ` },
    { what: 'a character that is not base64', secrets: secret.replace(/.=$/, '*=') },
    { what: 'the URL alphabet', secrets: `whsec_${'-'.repeat(32)}` },
    { what: 'the URL alphabet without prefix', secrets: '_'.repeat(32) },
    {
      what: 'last bits that base64 leaves unused',
      secrets: `whsec_${'A'.repeat(42)}B=`,
    },
    {
      what: 'last bits that base64 leaves unused, without padding',
      secrets: `${'A'.repeat(42)}B`,
    },
    { what: 'an empty array', secrets: [] },
    { what: 'more than 10', secrets: Array<string>(11).fill(secret) },
    { what: 'an invalid one in an array', secrets: [secret, 'whsec_AAAA'] },
  ])('secret-invalid: $what', async ({ secrets }) => {
    await expectCode(verified({ secrets }), 'secret-invalid')
    await expectCode(sign(body, secrets as string, { id, now }), 'secret-invalid')
  })

  test('another secret', () =>
    expectCode(verified({ secrets: [generateSecret(), generateSecret()] }), 'signature-mismatch'))

  test.each([event, undefined, null, 42])('a parsed body: %o', (parsed) =>
    expectCode(verified({ body: parsed }), 'body-not-raw'),
  )

  test('a body that was transferred to another thread', async () => {
    const transferred = body.slice()
    structuredClone(transferred, { transfer: [transferred.buffer] })
    for (const detached of [transferred, transferred.buffer])
      await expectCode(verified({ body: detached }), 'body-not-raw')
  })

  test('a lone surrogate instead of the signed U+FFFD', async () => {
    const all = await sign('"\uFFFD"', secret, { id, now })
    for (const half of ['"\uD800"', '"\uDC00"', '"\uDC00\uD800"']) {
      await expectCode(verified({ body: half, all }), 'body-not-utf8')
      await expectCode(sign(half, secret, { id, now }), 'body-not-utf8')
    }
  })

  const signedBodies: readonly { code: WebhookErrorCode; what: string; odd: RawBody }[] = [
    {
      code: 'body-not-utf8',
      what: 'bytes that are not UTF-8',
      odd: Uint8Array.of(0x22, 0xff, 0x22),
    },
    { code: 'body-not-json', what: 'text that is not JSON', odd: 'type=transfer.settled' },
    { code: 'body-not-json', what: 'nothing', odd: '' },
    { code: 'body-not-json', what: 'JSON after a byte order mark', odd: `\uFEFF${text}` },
  ]

  for (const { code, what, odd } of signedBodies) {
    test(`${code}: ${what}, though signed`, async () => {
      const outcome = verified({ body: odd, all: await sign(odd, secret, { id, now }) })
      await expect(outcome).rejects.toMatchObject({ code, cause: expect.any(Error) })
    })
  }

  test('an unsigned body before it is parsed', async () => {
    for (const unsigned of ['not JSON', Uint8Array.of(0xff), JSON.stringify(event, null, 2)])
      await expectCode(verified({ body: unsigned }), 'signature-mismatch')
  })
})

test('the event comes from the verified bytes, even if the buffer changes', async () => {
  const buffer = Uint8Array.from(body)
  const outcome = verified({ body: buffer })
  buffer.fill(0x20)
  expect(await outcome).toEqual(event)
})

test.each<{ status: 400 | 500; place: string; change: Change }>([
  { status: 500, place: 'secrets', change: { secrets: '' } },
  { status: 500, place: 'headers', change: { all: null } },
  { status: 500, place: 'options', change: { options: { now, toleranceSeconds: Number.NaN } } },
  { status: 500, place: 'parsed body', change: { body: {} } },
  { status: 400, place: 'missing header', change: { all: {} } },
  { status: 400, place: 'signature', change: { body: 'other' } },
])('the status is $status if the fault is in the $place', ({ status, change }) =>
  expect(verified(change)).rejects.toMatchObject({ status }),
)

test('no message contains a secret, a signature or the body', async () => {
  for (const change of [{ body: 'other' }, { secrets: secret.slice(0, -3) }, { body: event }]) {
    const error = await verified(change).catch((thrown: WebhookError) => thrown)
    const { message } = error as Error
    expect(message).toMatch(/^(no signature|a secret must|the body must)/)
    for (const hidden of [secret.slice(6, 20), headers['webhook-signature'].slice(3, 20), 'Almoço'])
      expect(message).not.toContain(hidden)
  }
})

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

function mapped<T>(
  record: object,
  change: (entry: [string, string]) => [string, T],
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(change))
}
