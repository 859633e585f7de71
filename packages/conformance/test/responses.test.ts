import { expect, test } from 'vitest'
import { fieldsOf, listItems } from '../src/contract/json.ts'
import {
  call,
  charge,
  check,
  createCharge,
  createWebhook,
  example,
  expectFindings,
  type Json,
  listUsers,
  lookUp,
  type Manner,
  payCode,
  payKey,
  read,
  readStory,
  readUser,
  webhook,
} from './story.ts'

/** A list of users that repeats the token of the partner. */
const TOKEN_AS_NICKNAME = {
  users: listItems(example('partnerUsers').users).map((user) => ({
    ...fieldsOf(user),
    nickname: 'token-of-partner',
  })),
}

/** A look-up, and a transfer by it. */
const pay = (data: Json, manner: Manner = {}) => [lookUp(), payKey({}, data, manner)]
const lookUpCpf = (owner_document: string) => {
  const sent = { dict_key: '11144477735' }
  const shows = {
    ...sent,
    dict_key_type: 'CPF',
    owner_document,
    initiation_id: owner_document,
  }
  return lookUp(shows, { sent })
}

/** A sign-in with another token, and headers of its response. */
function signInAgain(responds: Readonly<Record<string, string>>) {
  const shows = { access_token: 'second', refresh_token: 'second refresh' }
  const authorization = `Basic ${btoa('partner:secret')}`
  const tokens = example('partnerTokens')
  return call('POST /auth/partner/token/', undefined, tokens, { authorization, shows, responds })
}

/** Refusals of a service whose problems are plain JSON. */
const PLAIN = { 'content-type': 'application/json' }
const LIMITED: Manner = { refused: 'rate_limited', responds: { ...PLAIN, 'retry-after': '1' } }

test('it tells a CPF that is shown as a telephone from another word for an e-mail', () => {
  const ofCpf = { dict_key: '11144477735', dict_key_type: 'PHONE', initiation_id: 'ini_2' }
  const { findings } = readStory([
    lookUp({ dict_key_type: 'PHONE' }),
    lookUp(ofCpf, { sent: { dict_key: '11144477735' } }),
  ])
  const ofKinds = findings.filter(({ rule }) => rule === 'responses-agree')
  expect(ofKinds).toHaveLength(2)
})

expectFindings([
  {
    title: 'it finds a deletion with a body',
    story: [
      webhook,
      call('DELETE /partner/webhook/00000000-0000-4000-8000-000000000001', undefined, {}),
    ],
    finds: ['http-empty@deleteWebhook'],
  },
  {
    title: 'it says nothing of the form of a rate limit, which a run may meet or not',
    story: [
      listUsers(),
      lookUp(),
      lookUp({}, { responds: PLAIN, sent: {}, refused: 'invalid_request' }),
      listUsers({}, LIMITED),
      lookUp({}, LIMITED),
    ],
    finds: ['http-problems@checkKey', 'http-problems@listUsers', 'responses-media-type@checkKey'],
  },
  {
    title: 'it finds a token that caches may keep',
    story: [signInAgain({ 'cache-control': 'public, max-age=600' })],
    finds: ['secrets-hidden@signIn'],
  },
  {
    title: 'it finds nothing wrong with a token that no cache may keep',
    story: [signInAgain({ 'cache-control': 'no-store' })],
    finds: [],
  },
  {
    title: 'it finds an invalid request that is accepted',
    story: [createWebhook({ type: 'none' }, { shows: {} })],
    finds: ['refusals-invalid@createWebhook'],
  },
  {
    title: 'it finds nothing wrong with an invalid request, refused',
    story: [createWebhook({ type: 'none' }, { refused: 'invalid_request' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a response that matches the contract',
    story: [listUsers({})],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a check that shows its charge',
    story: [charge, check()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a look-up that repeats its key',
    story: [lookUp()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with the masked document of a key',
    story: [lookUpCpf('***.444.777-**')],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a user that shows its id',
    story: [readUser()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a list whose user_id is none of its users',
    story: [listUsers()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a list without users',
    story: [listUsers({ users: [] })],
    finds: [],
  },
  {
    title: 'it finds a code that is not declared',
    story: [createWebhook({}, { refused: { code: 'no', status: 422 } })],
    finds: ['refusals-declared@createWebhook', 'responses-shape@createWebhook'],
  },
  {
    title: 'it finds a status that is not declared',
    story: [listUsers({}, { status: 202 })],
    finds: ['responses-status@listUsers'],
  },
  {
    title: 'it finds a field of another type',
    story: [listUsers({ user_id: 7 })],
    finds: ['responses-shape@listUsers'],
  },
  {
    title: 'it finds a field that is not declared',
    story: [listUsers({ color: 'red' })],
    finds: ['responses-known@listUsers'],
  },
  {
    title:
      'it finds no broken fact in further fields of an object that the document shows with one',
    story: [webhook, read({ deleted_at: { error: null, etag: '1' } })],
    finds: ['responses-known@getWebhook'],
  },
  {
    title: 'it finds a server error',
    story: [listUsers(example('internalError'), { refused: 'internal_error' })],
    finds: ['responses-errors@listUsers'],
  },
  {
    title: 'it finds a secret where it is not issued',
    story: [webhook, read({ url: `https://a.example/whsec_${'a'.repeat(43)}=` })],
    finds: ['records-shown@getWebhook', 'secrets-hidden@getWebhook'],
  },
  {
    title: 'it finds a token that a response repeats, where the service takes it without a scheme',
    story: [listUsers(TOKEN_AS_NICKNAME, { authorization: 'token-of-partner' })],
    finds: ['access-tokens@listUsers', 'secrets-hidden@listUsers'],
  },
  {
    title: 'it finds the token of the partner for its customer',
    story: [
      call('POST /auth/partner/impersonate/', example('actForCustomer'), {
        ...example('customerTokens'),
        access_token: 'token-of-partner',
      }),
    ],
    finds: ['secrets-hidden@impersonate'],
  },
  {
    title: 'it finds a check that shows another amount',
    story: [charge, check({ original_amount: '1.00', final_amount: '1.00' })],
    finds: ['codes-copied@checkCode', 'money-consistent@checkCode', 'money-due@checkCode'],
  },
  {
    title: 'it finds another revision than the creation shows',
    story: [charge, check({ revision: 1 })],
    finds: ['codes-copied@checkCode'],
  },
  {
    title: 'it finds nothing in a revision that a pending payment has raised',
    story: [charge, payCode(), check({ revision: 1 })],
    finds: [],
  },
  {
    title: 'it finds a check that shows another state than the record has',
    story: [charge, check({ status: 'CONCLUIDA' })],
    finds: ['codes-copied@checkCode'],
  },
  {
    title: 'it finds another final amount',
    story: [charge, check({ interest: '1.00' })],
    finds: ['money-due@checkCode', 'responses-agree@checkCode'],
  },
  {
    title: 'it finds a look-up that names another kind of key',
    story: [lookUp({ dict_key_type: 'CPF' })],
    finds: ['responses-agree@checkKey'],
  },
  {
    title: 'it finds a person with a trade name',
    story: [lookUp({ owner_trade_name: 'Beltrana de Tal' })],
    finds: ['responses-agree@checkKey'],
  },
  {
    title: 'it finds other digits than those of the key',
    story: [lookUpCpf('***.111.444-**')],
    finds: ['money-keys@checkKey'],
  },
  {
    title: 'it finds a settled transfer with another word for it',
    story: pay({ status: 'LIQUIDATED' }, { shows: { status: 'LIQUIDATED' } }),
    finds: ['responses-shape@createTransfer'],
  },
  {
    title: 'it finds a transfer with another id in data',
    story: pay({ id: '10c8831e-5542-4eec-9938-78a167deb0bc' }),
    finds: ['responses-agree@createTransfer'],
  },
  {
    title: 'it finds a settled transfer that is not settled yet',
    story: pay({ settled_at: '' }),
    finds: ['responses-agree@createTransfer'],
  },
  {
    title: 'it finds a rejected transfer with a time at which it settled',
    story: pay(
      { status: 'rejected', rejection_message: 'AC03' },
      { shows: { status: 'rejected' } },
    ),
    finds: ['responses-agree@createTransfer'],
  },
  {
    title: 'it finds an end_to_end_id of another institution',
    story: pay({ end_to_end_id: 'E888888802026110214300aB3dE5fG7h' }),
    finds: ['responses-agree@createTransfer'],
  },
  {
    title: 'it accepts an end_to_end_id that names a time almost 90 minutes ago',
    story: pay({ end_to_end_id: 'E999990102026110213010aB3dE5fG7h' }),
    finds: [],
  },
  {
    title: 'it finds an end_to_end_id that names a time two hours ago',
    story: pay({ end_to_end_id: 'E999990102026110212300aB3dE5fG7h' }),
    finds: ['responses-agree@createTransfer'],
  },
  {
    title: 'it finds a missing end_to_end_id by the shape of the response alone',
    story: pay({ end_to_end_id: undefined }),
    finds: ['responses-shape@createTransfer'],
  },
  {
    title: 'it finds a look-up of another key',
    story: [lookUp({ dict_key: 'fulano@example.com' })],
    finds: ['keys-repeated@checkKey'],
  },
  {
    title: 'it finds another user_id',
    story: [readUser({ user_id: example('partnerUsers').user_id })],
    finds: ['responses-agree@getUser'],
  },
  {
    title: 'it finds a list whose user_id is one of its users',
    story: [listUsers({ user_id: example('userWithCustomers').user_id })],
    finds: ['users-apart@listUsers'],
  },
])

const SECOND_USER = '6b0f7a52-1f0e-4a53-8a5a-2f6f0a3f2b11'

expectFindings([
  {
    title: 'it finds a customer that is shown with two users',
    story: [readUser(), readUser({}, SECOND_USER)],
    finds: ['users-own@getUser'],
  },
  {
    title: 'it accepts two users with customers of their own, and one that is looked up twice',
    story: [readUser(), readUser({ customers: [] }, SECOND_USER), readUser()],
    finds: [],
  },
])

test('it calls it a deviation that user_id of the list is one of its users', () => {
  const { findings } = readStory([listUsers({ user_id: example('userWithCustomers').user_id })])
  expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'user-relation' } }])
})

const RELATIONS = [
  {
    title: 'it does not settle the relation of users after the look-up alone',
    steps: [readUser()],
    expected: 'partly-confirmed',
  },
  {
    title: 'it does not settle the relation of users after the list alone',
    steps: [listUsers()],
    expected: 'partly-confirmed',
  },
  {
    title: 'it does not settle the relation of users after a list without users',
    steps: [listUsers({ users: [] }), readUser()],
    expected: 'partly-confirmed',
  },
  {
    title: 'it confirms the relation of users after the list and the look-up',
    steps: [listUsers(), readUser()],
    expected: 'confirmed',
  },
]

for (const { title, steps, expected } of RELATIONS) {
  test(title, () => {
    const { verdicts } = readStory(steps)
    const relation = verdicts.find(({ question }) => question === 'user-relation')
    expect(relation?.verdict).toBe(expected)
  })
}

test('it cites the node of the contract if no open question marks it', () => {
  const { findings } = readStory([listUsers({ user_id: 7 })])
  expect(findings).toMatchObject([
    { kind: 'failure', cites: { pointer: '/components/schemas/Id/type' } },
  ])
})

test.each([
  ['a word of an enumeration, which answers a question', 'LIQUIDATED', 'got "LIQUIDATED"'],
  ['no text that may be personal', 'Beltrana de Tal', 'got string of length 15'],
])('it shows %s', (_, status, shown) => {
  const { findings } = readStory(pay({ status }, { shows: { status } }))
  expect(findings.map(({ message }) => message).join(' ')).toContain(shown)
  expect(findings.map(({ message }) => message).join(' ')).not.toContain('Beltrana')
})

test('a key that is shown in capital letters breaks no fact', () => {
  const { findings } = readStory([lookUp({ dict_key: 'BELTRANA@example.com' })])
  expect(findings).toEqual([
    expect.objectContaining({
      rule: 'keys-repeated',
      kind: 'deviation',
      cites: expect.objectContaining({ question: 'values-shown' }),
    }),
  ])
})

test.each([
  { what: 'another media type of JSON', type: 'application/vnd.partner.v1+json' },
  { what: 'JSON without a media type', type: '' },
])('it takes $what for a deviation, whatever the operation', ({ type }) => {
  const { findings } = readStory([listUsers({}, { responds: { 'content-type': type } })])
  expect(findings).toMatchObject([
    { rule: 'responses-media-type', operation: undefined, kind: 'deviation', severity: 'note' },
  ])
})

test('it notes no field that the run itself has sent as one of the service', () => {
  const story = [createCharge({}, { shows: { x_unknown: 'x', note: 'x' } })]
  const { sightings } = readStory(story)
  const undeclared = sightings.filter(({ of }) => of === 'undeclared')
  expect(undeclared.flatMap(({ seen }) => Object.keys(seen))).toEqual(['note: string'])
})

test('it notes the fields that each error of a refusal in another media type has', () => {
  const error = { code: 'PX-1440', text: 'Not an amount.', at: '/amount' }
  const refused = { code: 'invalid_request', errors: [error, error], trace: 't1' }
  const story = [lookUp({}, { refused, responds: { 'content-type': 'application/json' } })]
  const { sightings } = readStory(story)
  const undeclared = sightings.filter(({ of }) => of === 'undeclared')
  expect(Object.fromEntries(undeclared.map(({ at, seen }) => [at, seen]))).toEqual({
    '/components/schemas/Problem/properties': { 'trace: string': 1 },
    '/components/schemas/ProblemError/properties': { 'text: string': 2, 'at: string': 2 },
  })
})
