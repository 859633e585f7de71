import { expect, test } from 'vitest'
import {
  call,
  chargeOf,
  create,
  example,
  expectFindings,
  inOrder,
  listUsers,
  lookUp,
  type Manner,
  type Refusal,
  readStory,
  webhookOf,
} from './story.ts'

const KEY: Record<string, unknown> = { dict_key: 'beltrana@example.com' }
let count = 0
const look = (sent: Record<string, unknown> | string = KEY, manner: Manner = {}) =>
  lookUp({ initiation_id: `ini_${++count}` }, { sent, ...manner })
const users = (method = 'GET', manner: Manner = {}) => listUsers({}, manner, method)
const JSON_TYPE = { responds: { 'content-type': 'application/json' } }
const qrcode = (sent: object, manner: Manner = {}) => chargeOf({ ...sent }, manner)
const unknownId = (code: Refusal) =>
  call('GET /partner/webhook/x', undefined, undefined, { refused: code })

/** The creation of a webhook that is refused because the body lacks a field. */
const demand = (pointer: string) => {
  const errors = [{ pointer, code: 'required', detail: 'required' }]
  return webhookOf({}, { refused: { code: 'invalid_request', errors } })
}

/** A request with two invalid fields, and the places that its refusal names. */
const act = (...places: string[]) => {
  const errors = places.map((pointer) => ({ pointer, code: 'type', detail: 'expected string' }))
  const refused = { code: 'invalid_request', errors }
  const path = 'POST /auth/partner/impersonate/'
  const tokens = { ...example('customerTokens'), access_token: 'b', refresh_token: 'c' }
  return inOrder(
    call(path, example('actForCustomer'), tokens),
    call(
      path,
      { customer_id: 7, user_id: 7 },
      {},
      { refused, variant: ['/customer_id', '/user_id'] },
    ),
  )
}

expectFindings({
  'requests-accepted@listUsers responses-status@listUsers': {
    'a read that is refused as invalid': [users('GET', { refused: 'invalid_request' })],
  },
  'http-allow@listUsers requests-accepted@listUsers responses-status@listUsers': {
    'a method that is not served': [users('GET', { refused: 'method_not_allowed' })],
  },
  'requests-accepted@createWebhook': {
    'a refusal that demands an optional field': [demand('/status')],
  },
  'responses-status@getWebhook': {
    'only another status in the refusal of an id that no response has shown': [
      unknownId('invalid_request'),
    ],
  },
  'requests-accepted@createImmediateQrCode': {
    'a message of 140 characters that is refused as invalid': [
      qrcode({}),
      qrcode({ message: 'a'.repeat(140) }, { refused: 'invalid_request', variant: '/message' }),
    ],
  },
  'refusals-true@createImmediateQrCode': {
    'only the rule in a refusal by a declared rule': [
      qrcode({}),
      qrcode({ message: 'b' }, { refused: 'invalid_charge', variant: '/message' }),
    ],
  },
  nothing: {
    'a refusal that names both places': [act('/customer_id', '/user_id')],
    'a valid variant of a request that was refused': [
      qrcode({}, { refused: 'invalid_charge' }),
      qrcode({ message: 'b' }, { refused: 'invalid_request', variant: '/message' }),
    ],
    'broken JSON that is refused with 400': [
      look(),
      look('{', { refused: 'malformed_body', variant: true }),
    ],
    'a HEAD that is one too many': [users(), users('HEAD', { status: 429, ...JSON_TYPE })],
    'a HEAD that is as GET': [users(), users('HEAD', JSON_TYPE)],
    'a method refused with 405': [
      users('PUT', { refused: 'method_not_allowed', responds: { allow: 'GET' } }),
    ],
    'an unknown id that is refused with 404': [unknownId('not_found')],
  },
  'refusals-placed@checkKey': {
    'a refusal without a place': [
      look(),
      look({ dict_key: 7 }, { refused: 'invalid_request', variant: '/dict_key' }),
    ],
  },
  'refusals-placed@impersonate': {
    'a refusal that names the first of two places': [act('/user_id')],
  },
  'keys-repeated@checkKey refusals-invalid@checkKey': {
    'an invalid variant, accepted': [
      look(),
      look({ ...KEY, dict_key: undefined }, { variant: '/dict_key' }),
    ],
    'broken JSON that is accepted': [
      look(),
      look('{"dict_key":"beltrana@example.com"', { variant: true }),
    ],
  },
  'http-bodies@checkKey keys-repeated@checkKey': {
    'a field twice of which the first one counts': [
      look(),
      look('{"dict_key":"beltrana@example.com","dict_key":7}', { variant: true }),
    ],
  },
  'http-bodies@checkKey': {
    'broken JSON refused with another status': [
      look(),
      look('{', { refused: 'invalid_key', variant: true }),
    ],
  },
  'refusals-invalid@checkKey': {
    'another media type': [
      look(),
      look(KEY, { variant: true, headers: { 'content-type': 'text/plain' } }),
    ],
  },
  'http-notations@checkKey': {
    'a charset that is refused': [
      look(),
      look(KEY, {
        refused: 'unsupported_media_type',
        isNotation: true,
        headers: { 'content-type': 'application/json; charset=utf-8' },
      }),
    ],
    'a field twice that is refused, although the last one counts': [
      look(),
      look('{"dict_key":7,"dict_key":"beltrana@example.com"}', {
        refused: 'invalid_request',
        isNotation: true,
      }),
    ],
    'a body of 60 KB that is refused as too large': [
      look(),
      look(JSON.stringify(KEY) + ' '.repeat(60_000), {
        refused: 'body_too_large',
        isNotation: true,
      }),
    ],
  },
  'http-head@listUsers': {
    'another status of HEAD': [users(), users('HEAD', { status: 204, ...JSON_TYPE })],
  },
  'http-methods@listUsers': {
    'a method that is accepted although the path does not have it': [users('PUT')],
  },
  'http-slashes@listUsers': {
    'a path that is served with a slash': [
      call('GET /partner/user/', undefined, example('partnerUsers')),
    ],
  },
  'http-aliases@checkKey': {
    'a short path that is not served': [
      look(),
      call('POST /pix/key', KEY, undefined, { refused: 'not_found', variant: true }),
    ],
  },
  'http-ids@getWebhook responses-status@getWebhook': {
    'an unknown id refused with 409': [unknownId('qrcode_paid')],
  },
  'responses-errors@listUsers': {
    'an OPTIONS that fails': [users('OPTIONS', { refused: 'internal_error' })],
  },
})

test('it calls a refusal a failure only where no assumption explains it', () => {
  const kindsOf = (sent: object, edit: string) => {
    const variant = qrcode(sent, { refused: 'invalid_request', variant: edit })
    const { findings } = readStory([qrcode({}), variant])
    return findings.map(({ kind, cites }) => [kind, 'question' in cites && cites.question])
  }
  expect(kindsOf({ message: undefined }, '/message')).toEqual([['failure', false]])
  expect(kindsOf({ calendar: undefined }, '/calendar')).toEqual([['deviation', 'immediate-fields']])
  expect(kindsOf({ message: 'É' }, '/message')).toEqual([['deviation', 'bounds']])
})

test('it finds a request without a response', () => {
  const { findings } = readStory([users('GET', { lost: 'ECONNRESET' })])
  expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
    'responses-received warning',
  ])
})

test('it measures a response by the time that the user allows', () => {
  const { findings } = readStory([users('GET', { ms: 2_000 })], { responseWithinMs: 1_000 })
  expect(findings.map(({ rule }) => rule)).toEqual(['responses-in-time'])
})

test('it calls it a failure that a method of the contract is not served, or that an optional field is demanded', () => {
  for (const step of [users('GET', { refused: 'method_not_allowed' }), demand('/status')]) {
    const found = readStory([step]).findings.filter(({ kind }) => kind === 'failure')
    expect(found).toMatchObject([{ rule: 'requests-accepted' }])
  }
})

test('it leaves a refusal without a declared code to a rule of the business that forbids the request', () => {
  const refused = { code: 'bad', status: 400 }
  const { findings } = readStory([
    create('dueDateQrCode'),
    create('dueDateQrCode', { message: 7 }, { refused, variant: '/message' }),
    create('dueDateQrCode', { calendar: undefined }, { refused, variant: '/calendar' }),
  ])
  expect(findings.filter(({ rule }) => rule === 'requests-accepted')).toEqual([])
})
