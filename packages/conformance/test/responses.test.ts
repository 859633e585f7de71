import { expect, test } from 'vitest'
import {
  call,
  charge,
  check,
  example,
  expectFindings,
  type Json,
  listUsers,
  lookUp,
  type Manner,
  payKey,
  read,
  readStory,
  readUser,
  webhook,
  webhookOf,
} from './story.ts'

const pay = (data: Json, manner: Manner = {}) => [lookUp(), payKey({}, data, manner)]
const lookUpCpf = (owner_document: string) => {
  const sent = { dict_key: '11144477735' }
  return lookUp(
    { ...sent, dict_key_type: 'CPF', owner_document, initiation_id: owner_document },
    { sent },
  )
}
expectFindings({
  'http-empty@deleteWebhook': {
    'a deletion with a body': [
      webhook,
      call('DELETE /partner/webhook/00000000-0000-4000-8000-000000000001', undefined, {}),
    ],
  },
  'refusals-invalid@createWebhook': {
    'an invalid request that is accepted': [webhookOf({ type: 'none' }, { shows: {} })],
  },
  nothing: {
    'an invalid request, refused': [webhookOf({ type: 'none' }, { refused: 'invalid_request' })],
    'a response that matches the contract': [listUsers({})],
    'a check that shows its charge': [charge, check()],
    'a look-up that repeats its key': [lookUp()],
    'the masked document of a key': [lookUpCpf('***.444.777-**')],
    'a user that shows its id': [readUser()],
    'a list whose user_id is none of its users': [listUsers()],
    'a list without users': [listUsers({ users: [] })],
  },
  'refusals-declared@createWebhook responses-shape@createWebhook': {
    'a code that is not declared': [webhookOf({}, { refused: { code: 'no', status: 422 } })],
  },
  'responses-status@listUsers': {
    'a status that is not declared': [listUsers({}, { status: 202 })],
  },
  'responses-shape@listUsers': { 'a field of another type': [listUsers({ user_id: 7 })] },
  'responses-known@listUsers': { 'a field that is not declared': [listUsers({ color: 'red' })] },
  'responses-errors@listUsers': {
    'a server error': [listUsers(example('internalError'), { refused: 'internal_error' })],
  },
  'records-shown@getWebhook secrets-hidden@getWebhook': {
    'a secret where it is not issued': [
      webhook,
      read({ url: `https://a.example/whsec_${'a'.repeat(43)}=` }),
    ],
  },
  'secrets-hidden@impersonate': {
    'the token of the partner for its customer': [
      call('POST /auth/partner/impersonate/', example('actForCustomer'), {
        ...example('customerTokens'),
        access_token: 'token-of-partner',
      }),
    ],
  },
  'codes-copied@checkCode money-due@checkCode': {
    'a check that shows another amount': [
      charge,
      check({ original_amount: '1.00', final_amount: '1.00' }),
    ],
  },
  'codes-copied@checkCode': {
    'a check that shows another state than the record has': [
      charge,
      check({ status: 'CONCLUIDA' }),
    ],
  },
  'money-due@checkCode money-sums@checkCode': {
    'another final amount': [charge, check({ interest: '1.00' })],
  },
  'money-keys@checkKey': {
    'a look-up that names another kind of key': [lookUp({ dict_key_type: 'CPF' })],
    'a person with a trade name': [lookUp({ owner_trade_name: 'Beltrana de Tal' })],
    'other digits than those of the key': [lookUpCpf('***.111.444-**')],
  },
  'responses-shape@createTransfer': {
    'a settled transfer with another word for it': pay(
      { status: 'LIQUIDATED' },
      { shows: { status: 'LIQUIDATED' } },
    ),
  },
  'money-transfers@createTransfer': {
    'a transfer with another id in data': pay({ id: '10c8831e-5542-4eec-9938-78a167deb0bc' }),
    'a settled transfer that is not settled yet': pay({ settled_at: '' }),
    'a rejected transfer with a time at which it settled': pay(
      { status: 'rejected', rejection_message: 'AC03' },
      { shows: { status: 'rejected' } },
    ),
  },
  'keys-repeated@checkKey': {
    'a look-up of another key': [lookUp({ dict_key: 'fulano@example.com' })],
  },
  'users-repeated@getUser': {
    'another user_id': [readUser({ user_id: example('partnerUsers').user_id })],
  },
  'users-apart@listUsers': {
    'a list whose user_id is one of its users': [
      listUsers({ user_id: example('userWithCustomers').user_id }),
    ],
  },
})

test('it calls it a deviation that user_id of the list is one of its users', () => {
  const { findings } = readStory([listUsers({ user_id: example('userWithCustomers').user_id })])
  expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'user-relation' } }])
})

test.each([
  ['the look-up alone', [readUser()], 'not-exercised'],
  ['the list alone', [listUsers()], 'not-exercised'],
  ['a list without users', [listUsers({ users: [] }), readUser()], 'not-exercised'],
  ['the list and the look-up', [listUsers(), readUser()], 'confirmed'],
])('after %s, the relation of users is settled or not', (_, steps, expected) => {
  const { verdicts } = readStory(steps)
  expect(verdicts.find(({ question }) => question === 'user-relation')?.verdict).toBe(expected)
})

test('it cites the node of the contract if no open question marks it', () => {
  const { findings } = readStory([listUsers({ user_id: 7 })])
  expect(findings).toMatchObject([
    { kind: 'failure', cites: { pointer: '/components/schemas/Id/type' } },
  ])
})
