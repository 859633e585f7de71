import { inspect } from 'node:util'
import { serve } from '@partner-payments/mock'
import { afterAll, describe, expect, it } from 'vitest'
import { AMOUNTS } from '../build/fields.ts'
import { rules } from '../src/generated/rules.ts'
import { createPayments } from '../src/index.ts'
import { UNMASKED_FIELDS } from '../src/unmasked-fields.ts'
import { json, service, TOKEN, TRANSFER } from './service.ts'

const mock = await serve({ port: 0 })
afterAll(() => mock.close())

const PROBLEM = { 'content-type': 'application/problem+json' }

/** The message without the place of the request, which each has at its end. */
async function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'succeeded',
    ({ message }: Error) => message.replace(/ \[[A-Z]+ http[^\]]+\]$/, ''),
  )
}

/** The error message of a refused transfer with these `errors`. */
function refusedFor(errors: unknown, input: object = TRANSFER): Promise<string> {
  const body = { status: 400, code: 'invalid_request', errors }
  const { payments } = service(() => json(body, 400, { ...PROBLEM, 'x-request-id': 'req_1' }))
  return messageOf(payments.transfers.create(input as never))
}

describe('the message of a refusal', () => {
  it('names the field, the rule, the value and the request', async () => {
    const payments = createPayments({ baseUrl: mock.url, auth: { token: () => 't' } })
    const payee = await payments.keys.check('beltrana@example.com')
    expect(await messageOf(payee.pay({ amount: '12' }))).toMatch(
      /^createTransfer was refused \(400 invalid_request\): \/amount must match \^\[0-9\]\{1,10\}\\\.\[0-9\]\{2\}\$, got "12" \(request req_\w+\)$/,
    )
  })

  it('masks a value that may be personal, and reports a missing one as nothing', async () => {
    const errors = [
      { pointer: '/initiation_id', code: 'minLength', detail: 'ini_1 of Beltrana' },
      { pointer: '/beneficiary/tax_id', code: 'required', detail: '"tax_id" is required.' },
    ]
    expect(await refusedFor(errors)).toBe(
      'createTransfer was refused (400 invalid_request): /initiation_id breaks "minLength", got ***; ' +
        '/beneficiary/tax_id breaks "required", got nothing (request req_1)',
    )
  })

  it('states a pattern only where the value breaks it', async () => {
    const text = await refusedFor([{ pointer: '/amount', code: 'maximum' }])
    expect(text).toContain('/amount breaks "maximum", got "10.50"')
  })

  it('ignores inherited object properties', async () => {
    const input = { ...TRANSFER, constructor: 'x' }
    const text = await refusedFor([{ pointer: '/constructor', code: 'type' }], input)
    expect(text).toContain('/constructor breaks "type", got ***')
  })

  it('shows no value for a business rule', async () => {
    const text = await refusedFor([{ pointer: '/amount', code: 'insufficient_funds' }])
    expect(text).toContain(': /amount insufficient_funds (request')
  })

  it('names a query parameter', async () => {
    const body = {
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: 'limit', code: 'pattern' }],
    }
    const { payments } = service(() => json(body, 400, PROBLEM))
    expect(await messageOf(payments.qrcodes.listImmediate({ limit: '0' }))).toBe(
      'listImmediateQrCodes was refused (400 invalid_request): limit breaks "pattern"',
    )
  })

  it('names at most three fields', async () => {
    const errors = ['a', 'b', 'c', 'd'].map((name) => ({ pointer: `/${name}`, code: 'type' }))
    expect(await refusedFor(errors)).not.toContain('/d')
  })

  it.each([
    [null],
    ['x'],
    [[null, 1, 'x', {}, []]],
    [[{ pointer: '/a@example.com', code: 'type' }]],
    [[{ pointer: '/amount', code: 'for a@example.com' }]],
    [[{ pointer: '/amount\n', code: 'type' }]],
    [[{ pointer: `/${'x'.repeat(200)}`, code: 'type' }]],
  ])('ignores malformed errors: %j', async (errors) => {
    expect(await refusedFor(errors)).toBe(
      'createTransfer was refused (400 invalid_request) (request req_1)',
    )
  })

  it.each(['Beltrana de Tal', 'x'.repeat(50), { a: 1 }, ['x']])(
    'masks the amount %j',
    async (amount) => {
      const text = await refusedFor([], { ...TRANSFER, amount })
      expect(text).toMatch(/such as "10\.50", got (\*\*\*|Object|Array)$/)
    },
  )

  it('prints no other text of the service', async () => {
    const errors = [{ pointer: '/amount', code: 'type', detail: 'a@example.com' }]
    const { payments } = service(() =>
      json({ status: 422, detail: 'a@example.com', errors }, 422, PROBLEM),
    )
    const error = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    expect(inspect(error) + JSON.stringify(error)).not.toContain('a@example.com')
  })

  it.each([
    { errors: [{ pointer: '/beneficiary/98765432100', code: 'type' }] },
    { errors: [{ pointer: '98765432100', code: 'type' }] },
    { errors: [{ pointer: '/98765432100', code: 'a_b' }] },
    { errors: [{ pointer: '/amount', code: '98765432100' }] },
    { code: 98765432100 },
    { code: 'cpf_98765432100' },
  ])('prints no document number as a field or a code: %j', async (problem) => {
    const records: unknown[] = []
    const { payments } = service(() => json({ status: 422, ...problem }, 422, PROBLEM), {
      auth: TOKEN,
      onCall: (record) => records.push(record),
    })
    const error = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    expect(inspect(error) + JSON.stringify([error, records])).not.toContain('98765432100')
  })

  it('prints no bytes that the runtime could not parse', async () => {
    const bytes = 'beltrana@example.com'
    const { payments } = service(() => {
      const cause = Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID', data: bytes })
      throw new TypeError('fetch failed', { cause })
    })
    const error = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    expect(inspect(error, { depth: 9 })).not.toContain(bytes)
    expect(error.cause.cause.cause.data).toBe(bytes)
  })

  it('shows only the values that logs show, and amounts', () => {
    const others = Object.keys(rules).filter(
      (name) => !UNMASKED_FIELDS.has(name) && !AMOUNTS.has(name),
    )
    expect([others, rules.amount]).toEqual([[], String.raw`^[0-9]{1,10}\.[0-9]{2}$`])
  })
})

describe('the message of another failure', () => {
  it.each([
    { response: new Response('', { status: 200 }), came: 'an empty body' },
    {
      response: new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      came: 'a body that is not JSON (text/html): is the base URL right?',
    },
    {
      response: new Response(new Blob(['<']).stream()),
      came: 'a body that is not JSON (no content-type)',
    },
    { response: json([]), came: 'a JSON array' },
    { response: json(null), came: 'a JSON null' },
    { response: json('x'), came: 'a JSON string' },
    { response: json({}, 202), came: 'a JSON object' },
  ])('states that it received $came', async ({ response, came }) => {
    const { payments } = service(() => response)
    expect(await messageOf(payments.users.list())).toBe(
      `listUsers: expected 200 with a JSON object, got ${response.status} with ${came}`,
    )
  })

  it('expects no body of a 204', async () => {
    const { payments } = service(() => json({}, 200, { 'x-request-id': 'req_2' }))
    expect(await messageOf(payments.webhooks.delete('w'))).toBe(
      'deleteWebhook: expected 204, got 200 with a JSON object (request req_2)',
    )
  })

  it('states why the outcome is unknown and what to do', async () => {
    const { payments } = service(() =>
      json({ status: 503, code: 'unavailable' }, 503, { 'x-request-id': 'req_3' }),
    )
    expect(await messageOf(payments.transfers.create(TRANSFER))).toBe(
      'createTransfer: may have been carried out, check before you retry: ' +
        'createTransfer failed (503 unavailable) (request req_3)',
    )
  })

  it('leaves out a malformed request id', async () => {
    const { payments } = service(() => json({}, 404, { 'x-request-id': 'Beltrana de Tal' }))
    expect(await messageOf(payments.users.list())).toBe(
      'listUsers failed (404): is the base URL right?',
    )
  })
})
