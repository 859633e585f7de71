import { expect, test } from 'vitest'
import { generateSecret, type SignOptions, sign, signForTest, verify } from '../src/index.ts'

const secret = generateSecret()
const event = { type: 'qrcode.paid', timestamp: '2026-11-02T14:30:04Z', data: {} }

test('signs with every secret, in their order', async () => {
  const other = generateSecret()
  const options = { id: 'msg_1', now: () => 1793629805_999 }
  const [first, second] = await Promise.all([
    sign('{}', secret, options),
    sign('{}', other, options),
  ])
  expect(await sign('{}', [secret, other], options)).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1793629805',
    'webhook-signature': `${first['webhook-signature']} ${second['webhook-signature']}`,
  })
})

test.each<{ code: string; given: unknown }>([
  { code: 'id-invalid', given: { id: 'msg.1' } },
  { code: 'id-invalid', given: { id: 'msg 1' } },
  { code: 'id-invalid', given: { id: 'msg_\n' } },
  { code: 'id-invalid', given: { id: 'm'.repeat(256) } },
  { code: 'id-invalid', given: { id: 42 } },
  { code: 'id-invalid', given: { id: ['msg_1'] } },
  { code: 'id-invalid', given: { id: Symbol('msg_1') } },
  { code: 'id-missing', given: { id: '' } },
  { code: 'options-invalid', given: null },
  { code: 'options-invalid', given: { id: 'msg_1', now: 1793629805_000 } },
])(
  'refuses by $code to sign with the options $given, a test delivery too',
  async ({ code, given }) => {
    const options = given as SignOptions
    for (const signing of [sign('{}', secret, options), signForTest(event, secret, options)])
      await expect(signing).rejects.toMatchObject({ name: 'WebhookError', code })
  },
)

test('keeps the error of the clock as the cause', async () => {
  const stopped = new Error('the clock stopped')
  const now = () => {
    throw stopped
  }
  const signing = sign('{}', secret, { id: 'msg_1', now })
  await expect(signing).rejects.toMatchObject({ code: 'options-invalid', cause: stopped })
})

test('generates different secrets of 32 bytes', () => {
  const secrets = Array.from({ length: 100 }, generateSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const generated of secrets) expect(generated).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
})

test('creates a delivery that is the second argument of a Request', async () => {
  const request = new Request('http://localhost/webhooks', await signForTest(event, secret))
  expect(request.method).toBe('POST')
  expect(request.headers.get('content-type')).toBe('application/json')
  expect(await verify(await request.arrayBuffer(), request.headers, secret)).toEqual(event)
})

test('creates a delivery with svix headers', async () => {
  const delivery = await signForTest(event, secret, { headerPrefix: 'svix' })
  const { headers } = new Request('http://localhost/webhooks', delivery)
  expect(delivery.headers['svix-id']).toMatch(/^msg_/)
  expect(headers.get('webhook-id')).toBeNull()
  expect(await verify(delivery.body, headers, secret, { headerPrefix: 'svix' })).toEqual(event)
})

test('refuses a test event that JSON cannot represent and keeps the cause', async () => {
  const cyclic: { self?: object } = {}
  cyclic.self = cyclic
  for (const odd of [cyclic, { amount: 10n }]) {
    const refused = { code: 'body-not-json', cause: expect.any(TypeError) }
    await expect(signForTest(odd, secret)).rejects.toMatchObject(refused)
  }
  for (const odd of [undefined, () => {}, Symbol('event')])
    await expect(signForTest(odd, secret)).rejects.toMatchObject({ code: 'body-not-json' })
})

test('gives every test delivery a new id by default', async () => {
  // As in a program without exactOptionalPropertyTypes.
  const unnamed = { id: undefined } as unknown as { id: string }
  const deliveries = [await signForTest(event, secret), await signForTest(event, secret, unnamed)]
  const ids = deliveries.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual(Array(2).fill(expect.stringMatching(/^msg_[\da-f-]{36}$/)))
  expect(ids[0]).not.toBe(ids[1])
  const { headers } = await signForTest(event, secret, { id: 'msg_1', now: () => 1793629805_000 })
  expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': '1793629805' })
})
