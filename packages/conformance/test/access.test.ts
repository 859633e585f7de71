import { expect, test } from 'vitest'
import { ServiceForm } from '../src/form/service-form.ts'
import {
  call,
  cancel,
  charge,
  charges,
  createCharge,
  example,
  expectFindings,
  listUsers,
  type Manner,
  pass,
  read,
  readStory,
  remove,
  type Step,
  update,
  webhook,
  webhooks,
  withoutDate,
} from './story.ts'

const HOUR_MS = 3_600_000
const BY_PARTNER: Manner = { authorization: basic('partner', 'secret') }

/** Lists users with an authorization, or with none. */
function users(authorization: string | undefined, manner: Manner = {}): Step {
  const sender: Manner = authorization === undefined ? { by: null } : { authorization }
  return listUsers({}, { ...sender, ...manner })
}

/** A successful sign-in with this secret. */
function signIn(secret: string): Step {
  const authorization = basic('partner', secret)
  return call('POST /auth/partner/token/', undefined, example('partnerTokens'), { authorization })
}

/** A sign-in that shows this token. */
function tokensOf(authorization: string, manner: Manner): Step {
  const [, access_token] = authorization.split(' ')
  const tokens = { ...example('partnerTokens'), access_token }
  return call('POST /auth/partner/token/', undefined, tokens, { ...BY_PARTNER, ...manner })
}

/** An impersonation of another customer than the one of the stories. */
const actForAnother = call(
  'POST /auth/partner/impersonate/',
  { ...example('actForCustomer'), customer_id: '00000000-0000-4000-8000-0000000000ff' },
  { ...example('customerTokens'), access_token: 'of-another' },
)
const BY_ANOTHER: Manner = { authorization: 'Bearer of-another' }

function basic(key: string, secret: string): string {
  return `Basic ${btoa(`${key}:${secret}`)}`
}

/** A sign-in whose expiration is the Unix time of the end, a minute later. */
const expiringToken: Step = (story) => {
  const expiration = Math.floor(story.now / 1000) + 60
  tokensOf('Bearer first', { shows: { expiration } })(story)
}
const newer = tokensOf('Bearer second', {})
const ENDED: Manner = { refused: 'invalid_token' }

test("it finds another partner's read with a token that may have expired", () => {
  const { findings } = readStory([webhook, pass(2 * HOUR_MS), read({}, { by: 'other' })])
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'access-records', severity: 'critical' }),
  )
})

test('it takes an expiration that is a time for another unit, and the tokens for independent', () => {
  const story = [expiringToken, users('Bearer first'), pass(90_000), newer]
  const { verdicts } = readStory([...story, users('Bearer first', ENDED)])
  const find = (id: string) => verdicts.find(({ question }) => question === id)?.verdict
  expect(find('token-expiration-unit')).toBe('contradicted')
  expect(find('concurrent-tokens')).not.toBe('contradicted')
})

expectFindings([
  {
    title: 'it finds a request without credentials',
    story: [users(undefined)],
    finds: ['access-credentials@listUsers'],
  },
  {
    title: 'it finds an unknown token',
    story: [users('Bearer guessed')],
    finds: ['access-credentials@listUsers'],
  },
  {
    title: 'it takes no token for unknown that a response has shown as plain text',
    story: [
      tokensOf('Bearer plain', { responds: { 'content-type': 'text/plain' } }),
      users('Bearer plain'),
    ],
    finds: ['responses-media-type@all'],
  },
  {
    title: 'it takes no token for unknown that a response has shown under another name',
    story: [
      call('POST /auth/partner/token/', undefined, { accessToken: 'own' }, BY_PARTNER),
      users('Bearer own'),
    ],
    finds: ['responses-known@signIn', 'responses-shape@signIn'],
  },
  {
    title: 'it finds nothing wrong with an unknown token that is refused',
    story: [users('Bearer guessed', { refused: 'invalid_token' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a webhook that a customer does not find',
    story: [webhook, read({}, { by: 'customer', refused: 'not_found' })],
    finds: [],
  },
  {
    title: 'it finds another status for an unknown token',
    story: [users('Bearer guessed', { refused: 'not_found' })],
    finds: ['access-credentials@listUsers', 'responses-status@listUsers'],
  },
  {
    title: 'it finds a refresh token',
    story: [users('Bearer refresh-of-partner')],
    finds: ['access-tokens@listUsers'],
  },
  {
    title: 'it finds a token alone, although another one was accepted with Bearer',
    story: [
      tokensOf('Bearer first', {}),
      users('Bearer first'),
      tokensOf('Bearer second', {}),
      users('second'),
      users('Bearer second'),
    ],
    finds: ['access-tokens@listUsers'],
  },
  {
    title: 'it finds nothing more in a token that has expired at the time which its expiration is',
    story: [
      expiringToken,
      users('Bearer first'),
      pass(90_000),
      newer,
      users('Bearer first', ENDED),
    ],
    finds: ['access-tokens@signIn'],
  },
  {
    title: 'it finds a token that works after the time which its expiration is',
    story: [expiringToken, users('Bearer first'), pass(90_000), users('Bearer first')],
    finds: ['access-tokens@listUsers', 'access-tokens@signIn'],
  },
  {
    title: 'it finds a token in another scheme',
    story: [users('Basic token-of-partner')],
    finds: ['access-tokens@listUsers'],
  },
  {
    title: 'it finds an expired token',
    story: [pass(HOUR_MS + 10_000), users('Bearer token-of-partner')],
    finds: ['access-tokens@listUsers'],
  },
  {
    title: 'it finds a token that ends early',
    story: [pass(HOUR_MS / 2), users('Bearer token-of-partner', { refused: 'invalid_token' })],
    finds: ['access-tokens@signIn'],
  },
  {
    title: 'it finds a token that an operation accepted and refuses seconds later',
    story: [
      users('Bearer token-of-partner'),
      pass(2_000),
      users('Bearer token-of-partner', { refused: 'invalid_token' }),
    ],
    finds: ['access-consistent@listUsers', 'access-tokens@signIn'],
  },
  {
    title: 'it finds no early end of a token by the clock of a recorder alone',
    story: [
      pass(HOUR_MS / 2),
      withoutDate(users('Bearer token-of-partner', { refused: 'invalid_token' })),
    ],
    finds: [],
  },
  {
    title: 'it finds no early end of a token while the service was slow to respond',
    story: [
      pass(HOUR_MS - 8_000),
      users('Bearer token-of-partner', { refused: 'invalid_token', ms: 7_000 }),
    ],
    finds: [],
  },
  {
    title: 'it finds no early end of a token that has expired since the request of a slow sign-in',
    story: [
      tokensOf('Bearer slow', { ms: 20_000 }),
      pass(20_000),
      users('Bearer slow'),
      pass(HOUR_MS - 15_000),
      users('Bearer slow', ENDED),
    ],
    finds: [],
  },
  {
    title: 'it finds a token that another ends',
    story: [signIn('secret'), users('Bearer token-of-partner', { refused: 'invalid_token' })],
    finds: ['access-tokens@signIn'],
  },
  {
    title: 'it takes no newer token for the end of one whose age in milliseconds explains it',
    story: [
      tokensOf('Bearer first', { shows: { expiration: 20_000 } }),
      users('Bearer first'),
      newer,
      pass(20_000),
      users('Bearer first', ENDED),
    ],
    finds: [],
  },
  {
    title:
      'it finds a token that another ends, where tokens have worked for more than milliseconds',
    story: [
      tokensOf('Bearer first', { shows: { expiration: 20_000 } }),
      pass(30_000),
      users('Bearer first'),
      newer,
      users('Bearer first', ENDED),
    ],
    finds: ['access-tokens@signIn'],
  },
  {
    title: 'it finds a token of a customer that ends with that of its partner',
    story: [
      charges('', { by: 'customer' }),
      pass(HOUR_MS / 2),
      charges('', { by: 'customer', refused: 'invalid_token' }),
    ],
    finds: ['access-tokens@impersonate'],
  },
  {
    title: 'it finds the token of a customer on users',
    story: [users('Bearer token-of-customer')],
    finds: ['access-kinds@listUsers'],
  },
  {
    title: "it finds another partner's read",
    story: [webhook, read({}, { by: 'other' })],
    finds: ['access-records@getWebhook'],
  },
  {
    title: "it finds another partner's deletion",
    story: [webhook, remove({ by: 'other' })],
    finds: ['access-records@deleteWebhook'],
  },
  {
    title: 'it takes the refusal of a scheme in small letters for no end of its token',
    story: [
      listUsers(),
      signIn('secret'),
      users('bearer token-of-partner', { refused: 'invalid_token' }),
    ],
    finds: [],
  },
  {
    title: 'it takes no refusal of an identity for a case, of which nothing was accepted',
    story: [webhook, update({}, { by: 'other', refused: 'wrong_token_kind' })],
    finds: [],
  },
  {
    title: 'it finds a status that reveals a record',
    story: [
      webhook,
      listUsers({}, { by: 'other' }),
      update({}, { by: 'other', refused: 'wrong_token_kind' }),
    ],
    finds: ['access-records@updateWebhook'],
  },
  {
    title: 'it finds no revealed record in a refusal within seconds of the end of a token',
    story: [
      webhook,
      listUsers({}, { by: 'other' }),
      pass(HOUR_MS - 1_000),
      update({}, { by: 'other', refused: 'wrong_token_kind' }),
    ],
    finds: [],
  },
  {
    title: "it finds a customer's cancellation for the partner",
    story: [charge, cancel({}, { by: 'customer' })],
    finds: ['access-records@cancelImmediateQrCode'],
  },
  {
    title: "it finds the partner's cancellation for its customer",
    story: [createCharge({}, { by: 'customer' }), cancel({}, { by: 'partner' })],
    finds: ['access-records@cancelImmediateQrCode'],
  },
  {
    title: "it finds another partner's record on a list",
    story: [
      webhook,
      webhooks('', {
        by: 'other',
        shown: () => [{ ...example('webhook'), id: '00000000-0000-4000-8000-000000000001' }],
      }),
    ],
    finds: ['access-lists@listWebhooks'],
  },
  {
    title: "it finds a customer's record on the list of the partner",
    story: [
      createCharge({}, { by: 'customer' }),
      charges('', { by: 'customer', authorization: 'Bearer token-of-partner' }),
    ],
    finds: ['access-lists@listImmediateQrCodes'],
  },
  {
    title: 'it finds two partners with the same users',
    story: [users('Bearer token-of-partner'), users('Bearer token-of-other')],
    finds: ['access-lists@listUsers'],
  },
])

test('it finds a secret that is not that of the run', () => {
  const credentials = [basic('partner', 'secret'), basic('other', 'secret')]
  const { findings } = readStory([signIn('other')], { credentials })
  expect(findings).toMatchObject([
    { rule: 'access-credentials', kind: 'failure', cites: { fact: 'sign-in-basic' } },
  ])
})

test('it expects nothing of a token whose sign-in an incomplete history does not show', () => {
  expect(readStory([users('Bearer unknown')], { isComplete: false }).findings).toEqual([])
})

test("it reports a reached record of another partner apart from one of the customer's partner", () => {
  const customerOfPartner: Manner = { by: 'customer' }
  const anotherPartner: Manner = { by: 'other' }
  const steps = [charge, cancel({}, customerOfPartner), charge, cancel({}, anotherPartner)]
  const { findings } = readStory(steps)
  expect(findings).toMatchObject([
    { severity: 'critical', count: 1, message: expect.stringContaining('of another partner') },
    {
      severity: 'warning',
      count: 1,
      message: expect.stringContaining("of the customer's partner"),
    },
  ])
})

test('it reports a record that a list shows to another partner apart from one that its partner sees', () => {
  const ofCustomer = createCharge({}, { by: 'customer' })
  const listed = charges('', { by: 'customer', authorization: 'Bearer token-of-partner' })
  const listedForOther = charges('', { by: 'customer', authorization: 'Bearer token-of-other' })
  const { findings } = readStory([ofCustomer, listed, listedForOther])
  const ofLists = findings.filter(({ rule }) => rule === 'access-lists')
  expect(ofLists).toMatchObject([{ severity: 'critical' }, { severity: 'warning' }])
})

test('it reports apart what a list shows to a partner, to its customer and to another customer', () => {
  const ofCustomer = createCharge({}, { by: 'customer' })
  const toPartner = charges('', { by: 'customer', authorization: 'Bearer token-of-partner' })
  const toCustomer = charges('', { by: 'partner', authorization: 'Bearer token-of-customer' })
  const toAnother = charges('', { by: 'customer', ...BY_ANOTHER })
  const { findings } = readStory([
    actForAnother,
    ofCustomer,
    toPartner,
    toAnother,
    charge,
    toCustomer,
  ])
  const ofLists = findings.filter(({ rule }) => rule === 'access-lists')
  expect(ofLists.map(({ message }) => message).sort()).toEqual([
    'listImmediateQrCodes shows an immediateQrCode of another customer.',
    'listImmediateQrCodes shows an immediateQrCode of another owner.',
    "listImmediateQrCodes shows an immediateQrCode of the customer's partner.",
  ])
})

test('it reports a record that another customer reaches apart from one that its partner reaches', () => {
  const ofCustomer = createCharge({}, { by: 'customer' })
  const byPartner = cancel({}, { by: 'partner' })
  const byAnother = cancel({}, BY_ANOTHER)
  const { findings } = readStory([actForAnother, ofCustomer, byPartner, ofCustomer, byAnother])
  expect(findings.map(({ message }) => message).sort()).toEqual([
    'cancelImmediateQrCode returns 200 for an immediateQrCode of another customer; expected 404.',
    'cancelImmediateQrCode returns 200 for an immediateQrCode of another owner; expected 404.',
  ])
})

test("it reports another partner's record as critical, whatever it cites", () => {
  const { findings } = readStory([webhook, read({}, { by: 'other' })])
  expect(findings).toMatchObject([
    { severity: 'critical', kind: 'deviation', cites: { question: 'record-owners' } },
  ])
})

test("it reports a customer's record that its partner reaches as a warning", () => {
  const steps = [createCharge({}, { by: 'customer' }), cancel({}, { by: 'partner' })]
  expect(readStory(steps).findings).toMatchObject([{ severity: 'warning', kind: 'deviation' }])
})

test.each([
  {
    title: 'it finds a list for customers only that a run saw',
    form: learnedForm(),
    finds: ['access-kinds'],
  },
  {
    title: 'it finds nothing in a list for customers only by the word of the user',
    form: givenForm(),
    finds: [],
  },
])('$title', ({ form, finds }) => {
  const { findings } = readStory([charges('', { by: 'customer' })], { form })
  expect(findings.map(({ rule }) => rule)).toEqual(finds)
})

test('it confirms whose token operations take in part, if the user says it of one', () => {
  const byCustomer: Manner = { by: 'customer' }
  const refused: Manner = { ...byCustomer, refused: 'wrong_token_kind' }
  const story = [listUsers(), charges('', byCustomer), listUsers({}, refused)]
  const judge = (form: ServiceForm) => {
    const { verdicts } = readStory(story, { form })
    return verdicts.find(({ question }) => question === 'token-permissions')
  }
  expect(judge(new ServiceForm())?.unsettled).not.toContain('what --set says')
  expect(judge(givenForm())?.unsettled).toContain('what --set says')
})

/** A form in which a run has learned that the service takes only the tokens of customers for charges. */
function learnedForm(): ServiceForm {
  const form = new ServiceForm()
  form.learnCustomersOnly({ id: 'listImmediateQrCodes', resource: 'immediateQrCode' })
  return form
}

/** The same, said by the user. */
function givenForm(): ServiceForm {
  return new ServiceForm({ token: { '/immediateQrCode': 'customer' } })
}
