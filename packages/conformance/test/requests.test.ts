import { expect, test } from 'vitest'
import {
  call,
  create,
  createCharge,
  createWebhook,
  example,
  expectFindings,
  inOrder,
  type Json,
  listUsers,
  lookUp,
  type Manner,
  pass,
  type Refusal,
  readStory,
  type Step,
} from './story.ts'

const KEY: Json = { dict_key: 'beltrana@example.com' }

/** A look-up with an initiation of its own. */
function look(sent: Json | string = KEY, manner: Manner = {}): Step {
  const initiation_id = `ini_${crypto.randomUUID()}`
  return lookUp({ initiation_id }, { sent, ...manner })
}

const users = (method = 'GET', manner: Manner = {}) => listUsers({}, manner, method)
const JSON_TYPE = { responds: { 'content-type': 'application/json' } }
/** The scheme of the token in another case. */
const inSmallLetters: Manner = { isNotation: true, authorization: 'bearer token-of-partner' }
const qrcode = (sent: object, manner: Manner = {}) => createCharge({ ...sent }, manner)
const unknownId = (code: Refusal) =>
  call('GET /partner/webhook/x', undefined, undefined, { refused: code })

/** The creation of a webhook that is refused because the body lacks a field. */
function demand(pointer: string): Step {
  const errors = [{ pointer, code: 'required', detail: 'required' }]
  return createWebhook({}, { refused: { code: 'invalid_request', errors } })
}

/** A request with two invalid fields, and the places that its refusal names. */
function act(...places: string[]): Step {
  const errors = places.map((pointer) => ({ pointer, code: 'type', detail: 'expected string' }))
  const refused = { code: 'invalid_request', errors }
  const line = 'POST /auth/partner/impersonate/'
  const tokens = { ...example('customerTokens'), access_token: 'b', refresh_token: 'c' }
  const invalid = { customer_id: 7, user_id: 7 }
  return inOrder(
    call(line, example('actForCustomer'), tokens),
    call(line, invalid, {}, { refused, variant: ['/customer_id', '/user_id'] }),
  )
}

test('it tells a negative amount, accepted, from one without decimals', () => {
  const amounts = ['10', '-10.00', '10.005']
  const steps = amounts.map((original) => qrcode({ amount: { original } }))
  const { findings } = readStory(steps)
  const ofAmounts = findings.filter(({ rule }) => rule === 'refusals-invalid')
  expect(ofAmounts).toHaveLength(amounts.length)
})

expectFindings([
  {
    title: 'it finds a read that is refused as invalid',
    story: [users('GET', { refused: 'invalid_request' })],
    finds: ['requests-accepted@listUsers', 'responses-status@listUsers'],
  },
  {
    title: 'it finds a method that is not served',
    story: [users('GET', { refused: 'method_not_allowed' })],
    finds: ['http-allow@listUsers', 'requests-accepted@listUsers', 'responses-status@listUsers'],
  },
  {
    title: 'it finds a refusal that demands an optional field',
    story: [demand('/status')],
    finds: ['requests-accepted@createWebhook'],
  },
  {
    title: 'it finds only another status in the refusal of an id that no response has shown',
    story: [unknownId('invalid_request')],
    finds: ['responses-status@getWebhook'],
  },
  {
    title: 'it finds a message of 140 characters that is refused as invalid',
    story: [
      qrcode({}),
      qrcode({ message: 'a'.repeat(140) }, { refused: 'invalid_request', variant: '/message' }),
    ],
    finds: ['requests-accepted@createImmediateQrCode'],
  },
  {
    title: 'it finds only the rule in a refusal by a declared rule',
    story: [
      qrcode({}),
      qrcode({ message: 'b' }, { refused: 'invalid_charge', variant: '/message' }),
    ],
    finds: ['refusals-true@createImmediateQrCode'],
  },
  {
    title: 'it finds nothing wrong with a refusal that names both places',
    story: [act('/customer_id', '/user_id')],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a valid variant of a request that was refused',
    story: [
      qrcode({}, { refused: 'invalid_charge' }),
      qrcode({ message: 'b' }, { refused: 'invalid_request', variant: '/message' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with broken JSON that is refused with 400',
    story: [look(), look('{', { refused: 'malformed_body', variant: true })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a HEAD that is one too many',
    story: [users(), users('HEAD', { status: 429, ...JSON_TYPE })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a HEAD that is as GET',
    story: [users(), users('HEAD', JSON_TYPE)],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a method refused with 405',
    story: [users('PUT', { refused: 'method_not_allowed', responds: { allow: 'GET' } })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with an unknown id that is refused with 404',
    story: [unknownId('not_found')],
    finds: [],
  },
  {
    title: 'it finds a refusal without a place',
    story: [look(), look({ dict_key: 7 }, { refused: 'invalid_request', variant: '/dict_key' })],
    finds: ['refusals-placed@checkKey'],
  },
  {
    title: 'it finds a refusal that names the first of two places',
    story: [act('/user_id')],
    finds: ['refusals-placed@impersonate'],
  },
  {
    title: 'it finds an invalid variant, accepted',
    story: [look(), look({ ...KEY, dict_key: undefined }, { variant: '/dict_key' })],
    finds: ['keys-repeated@checkKey', 'refusals-invalid@checkKey'],
  },
  {
    title: 'it finds broken JSON that is accepted',
    story: [look(), look('{"dict_key":"beltrana@example.com"', { variant: true })],
    finds: ['keys-repeated@checkKey', 'refusals-invalid@checkKey'],
  },
  {
    title: 'it finds a field twice of which the first one counts',
    story: [look(), look('{"dict_key":"beltrana@example.com","dict_key":7}', { variant: true })],
    finds: ['http-bodies@checkKey', 'keys-repeated@checkKey'],
  },
  {
    title: 'it finds broken JSON refused with another status',
    story: [look(), look('{', { refused: 'invalid_key', variant: true })],
    finds: ['http-bodies@checkKey'],
  },
  {
    title: 'it finds another media type',
    story: [look(), look(KEY, { variant: true, headers: { 'content-type': 'text/plain' } })],
    finds: ['refusals-invalid@checkKey'],
  },
  {
    title: 'it finds a charset that is refused',
    story: [
      look(),
      look(KEY, {
        refused: 'unsupported_media_type',
        isNotation: true,
        headers: { 'content-type': 'application/json; charset=utf-8' },
      }),
    ],
    finds: ['http-notations@checkKey'],
  },
  {
    title: 'it finds a field twice that is refused, although the last one counts',
    story: [
      look(),
      look('{"dict_key":7,"dict_key":"beltrana@example.com"}', {
        refused: 'invalid_request',
        isNotation: true,
      }),
    ],
    finds: ['http-notations@checkKey'],
  },
  {
    title: 'it finds a scheme in small letters that is refused, while its token works',
    story: [look(), look(KEY, { ...inSmallLetters, refused: 'invalid_token' }), look()],
    finds: ['http-notations@checkKey'],
  },
  {
    title: 'it finds nothing wrong with a notation whose token is not accepted afterwards',
    story: [look(), look(KEY, { ...inSmallLetters, refused: 'invalid_token' })],
    finds: [],
  },
  {
    title: 'it finds a body of 60 KB that is refused as too large',
    story: [
      look(),
      look(JSON.stringify(KEY) + ' '.repeat(60_000), {
        refused: 'body_too_large',
        isNotation: true,
      }),
    ],
    finds: ['http-notations@checkKey'],
  },
  {
    title: 'it finds a HEAD that is refused with a token which GET takes',
    story: [users(), users('HEAD', { refused: 'invalid_token' })],
    finds: ['http-head@listUsers'],
  },
  {
    title: 'it takes the refusal of a token for no difference of HEAD that its age explains',
    story: [users(), pass(10_000), users('HEAD', { refused: 'invalid_token' })],
    finds: [],
  },
  {
    title: 'it finds another status of HEAD',
    story: [users(), users('HEAD', { status: 204, ...JSON_TYPE })],
    finds: ['http-head@listUsers'],
  },
  {
    title: 'it finds a method that is accepted although the path does not have it',
    story: [users('PUT')],
    finds: ['http-methods@listUsers'],
  },
  {
    title: 'it finds a path that is served with a slash',
    story: [call('GET /partner/user/', undefined, example('partnerUsers'))],
    finds: ['http-slashes@listUsers'],
  },
  {
    title: 'it finds a short path that is not served',
    story: [look(), call('POST /pix/key', KEY, undefined, { refused: 'not_found', variant: true })],
    finds: ['http-aliases@checkKey'],
  },
  {
    title: 'it finds an unknown id refused with 409',
    story: [unknownId('qrcode_paid')],
    finds: ['http-ids@getWebhook', 'responses-status@getWebhook'],
  },
  {
    title: 'it finds an OPTIONS that fails',
    story: [users('OPTIONS', { refused: 'internal_error' })],
    finds: ['responses-errors@listUsers'],
  },
])

test('it calls a refusal a failure only where no assumption explains it', () => {
  const kindsOf = (sent: object, edit: string) => {
    const variant = qrcode(sent, { refused: 'invalid_request', variant: edit })
    const { findings } = readStory([qrcode({}), variant])
    return findings.map(({ kind, cites }) => ({
      kind,
      question: 'question' in cites ? cites.question : undefined,
    }))
  }
  expect(kindsOf({ message: undefined }, '/message')).toEqual([
    { kind: 'failure', question: undefined },
  ])
  expect(kindsOf({ calendar: undefined }, '/calendar')).toEqual([
    { kind: 'deviation', question: 'immediate-fields' },
  ])
  expect(kindsOf({ message: 'É' }, '/message')).toEqual([{ kind: 'deviation', question: 'bounds' }])
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

test.each([
  {
    title: 'an optional field that is null breaks no fact',
    sent: { payer: null },
    kind: 'deviation',
  },
  {
    title: 'a required field that is null breaks a fact',
    sent: { dict_key: null },
    kind: 'failure',
  },
])('$title', ({ sent, kind }) => {
  const [pointer = ''] = Object.keys(sent)
  const { findings } = readStory([qrcode({}), qrcode(sent, { variant: `/${pointer}` })])
  const invalid = findings.filter(({ rule }) => rule === 'refusals-invalid')
  expect(invalid.map((finding) => finding.kind)).toEqual([kind])
})
