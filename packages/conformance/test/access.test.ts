import { expect, test } from 'vitest'
import {
  call,
  cancel,
  create,
  example,
  findings,
  list,
  pass,
  type Row,
  read,
  readStory,
  remove,
  update,
} from './story.ts'

const users = (authorization: string | undefined, manner: Parameters<typeof call>[3] = {}) =>
  call('GET /partner/user', undefined, example('partnerUsers'), {
    ...(authorization ? { authorization } : { by: null }),
    ...manner,
  })
const signIn = (secret: string) =>
  call('POST /auth/partner/token/', undefined, example('partnerTokens'), {
    authorization: `Basic ${btoa(`partner:${secret}`)}`,
  })
const HOUR = 3_600_000

const rows: readonly Row[] = [
  ['a request without credentials', [users(undefined)], ['access-credentials@listUsers']],
  ['an unknown token', [users('Bearer guessed')], ['access-credentials@listUsers']],
  [
    'nothing of an unknown token that is refused',
    [users('Bearer guessed', { refused: [401, 'invalid_token'] })],
  ],
  [
    'another status for an unknown token',
    [users('Bearer guessed', { refused: [404] })],
    ['access-credentials@listUsers', 'responses-status@listUsers'],
  ],
  ['a refresh token', [users('Bearer refresh-of-partner')], ['access-tokens@listUsers']],
  ['a token in another scheme', [users('Basic token-of-partner')], ['access-tokens@listUsers']],
  ['an expired token', [pass(HOUR + 10_000), users('Bearer token-of-partner')], ['access-tokens@listUsers']],
  [
    'a token that ends early',
    [pass(HOUR / 2), users('Bearer token-of-partner', { refused: [401] })],
    ['access-tokens@signIn'],
  ],
  ['the token of a customer on users', [users('Bearer token-of-customer')], ['access-kinds@listUsers']],
  ["another partner's read", [create('webhook'), read({}, { by: 'other' })], ['access-records@getWebhook']],
  [
    "another partner's deletion",
    [create('webhook'), remove({ by: 'other' })],
    ['access-records@deleteWebhook'],
  ],
  [
    "a status that reveals another partner's record",
    [create('webhook'), update({}, { by: 'other', refused: [403] })],
    ['access-records@updateWebhook'],
  ],
  [
    'nothing of a webhook that the token of a customer does not find',
    [create('webhook'), read({}, { by: 'customer', refused: [404] })],
  ],
  [
    "a customer's cancellation for the partner",
    [create('immediateQrCode'), cancel({}, { by: 'customer' })],
    ['access-records@cancelImmediateQrCode'],
  ],
  [
    "another partner's record on a list",
    [
      create('webhook'),
      list('webhook', '', {
        by: 'other',
        shown: () => [{ ...example('webhook'), id: '00000000-0000-4000-8000-000000000001' }],
      }),
    ],
    ['access-lists@listWebhooks'],
  ],
  [
    'users of two partners that are the same',
    [users('Bearer token-of-partner'), users('Bearer token-of-other')],
    ['access-lists@listUsers'],
  ],
]

for (const [title, steps, expected = []] of rows)
  test(`it finds ${title}`, () => {
    expect(findings(...steps)).toEqual(expected)
  })

test('it finds a secret that is not that of the run', () => {
  const { findings } = readStory([signIn('other')], {
    credentials: ['partner', 'other'].map((it) => `Basic ${btoa(`${it}:secret`)}`),
  })
  expect(findings).toMatchObject([
    { rule: 'access-credentials', kind: 'failure', cites: { fact: 'sign-in-basic' } },
  ])
})

test('it expects nothing of a token whose sign-in an incomplete history does not show', () => {
  expect(readStory([users('Bearer unknown')], { isComplete: false }).findings).toEqual([])
})

test("it reports another partner's record as critical, whatever it cites", () => {
  const { findings } = readStory([create('webhook'), read({}, { by: 'other' })])
  expect(findings).toMatchObject([
    { severity: 'critical', kind: 'deviation', cites: { question: 'record-owners' } },
  ])
})
