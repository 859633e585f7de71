import { expect, test } from 'vitest'
import {
  call,
  cancel,
  charge,
  chargeOf,
  charges,
  example,
  expectFindings,
  listUsers,
  type Manner,
  pass,
  read,
  readStory,
  remove,
  update,
  webhook,
  webhooks,
} from './story.ts'

const users = (authorization: string | undefined, manner: Manner = {}) =>
  listUsers({}, { ...(authorization ? { authorization } : { by: null }), ...manner })
const signIn = (secret: string) =>
  call('POST /auth/partner/token/', undefined, example('partnerTokens'), {
    authorization: `Basic ${btoa(`partner:${secret}`)}`,
  })
const HOUR = 3_600_000

expectFindings({
  'access-credentials@listUsers': {
    'a request without credentials': [users(undefined)],
    'an unknown token': [users('Bearer guessed')],
  },
  nothing: {
    'an unknown token that is refused': [users('Bearer guessed', { refused: 'invalid_token' })],
    'a webhook that a customer does not find': [
      webhook,
      read({}, { by: 'customer', refused: 'not_found' }),
    ],
  },
  'access-credentials@listUsers responses-status@listUsers': {
    'another status for an unknown token': [users('Bearer guessed', { refused: 'not_found' })],
  },
  'access-tokens@listUsers': {
    'a refresh token': [users('Bearer refresh-of-partner')],
    'a token in another scheme': [users('Basic token-of-partner')],
    'an expired token': [pass(HOUR + 10_000), users('Bearer token-of-partner')],
  },
  'access-tokens@signIn': {
    'a token that ends early': [
      pass(HOUR / 2),
      users('Bearer token-of-partner', { refused: 'invalid_token' }),
    ],
    'a token that another ends': [
      signIn('secret'),
      users('Bearer token-of-partner', { refused: 'invalid_token' }),
    ],
  },
  'access-tokens@impersonate': {
    'a token of a customer that ends with that of its partner': [
      charges('', { by: 'customer' }),
      pass(HOUR / 2),
      charges('', { by: 'customer', refused: 'invalid_token' }),
    ],
  },
  'access-kinds@listUsers': {
    'the token of a customer on users': [users('Bearer token-of-customer')],
  },
  'access-records@getWebhook': { "another partner's read": [webhook, read({}, { by: 'other' })] },
  'access-records@deleteWebhook': {
    "another partner's deletion": [webhook, remove({ by: 'other' })],
  },
  'access-records@updateWebhook': {
    'a status that reveals a record': [
      webhook,
      update({}, { by: 'other', refused: 'wrong_token_kind' }),
    ],
  },
  'access-records@cancelImmediateQrCode': {
    "a customer's cancellation for the partner": [charge, cancel({}, { by: 'customer' })],
    "the partner's cancellation for its customer": [
      chargeOf({}, { by: 'customer' }),
      cancel({}, { by: 'partner' }),
    ],
  },
  'access-lists@listWebhooks': {
    "another partner's record on a list": [
      webhook,
      webhooks('', {
        by: 'other',
        shown: () => [{ ...example('webhook'), id: '00000000-0000-4000-8000-000000000001' }],
      }),
    ],
  },
  'access-lists@listImmediateQrCodes': {
    "a customer's record on the list of the partner": [
      chargeOf({}, { by: 'customer' }),
      charges('', { by: 'customer', authorization: 'Bearer token-of-partner' }),
    ],
  },
  'access-lists@listUsers': {
    'two partners with the same users': [
      users('Bearer token-of-partner'),
      users('Bearer token-of-other'),
    ],
  },
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
  const { findings } = readStory([webhook, read({}, { by: 'other' })])
  expect(findings).toMatchObject([
    { severity: 'critical', kind: 'deviation', cites: { question: 'record-owners' } },
  ])
})

test("it reports a customer's record that its partner reaches as a warning", () => {
  const steps = [chargeOf({}, { by: 'customer' }), cancel({}, { by: 'partner' })]
  expect(readStory(steps).findings).toMatchObject([{ severity: 'warning', kind: 'deviation' }])
})
