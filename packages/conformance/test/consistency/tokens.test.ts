import { charges, expectFindingsWith, type Manner, pass, signIn } from '../story.ts'
import { BY_CUSTOMER, CONSISTENT, REFUSED, refresh, users } from './steps.ts'

const inOtherScheme: Manner = { authorization: 'Token token-of-partner' }

/** The token of the customer. */
const OF_CUSTOMER: Manner = { authorization: 'Bearer token-of-customer', ...REFUSED }

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds nothing where an operation refuses every token',
    story: [users(REFUSED), users({ ...refresh, ...REFUSED }), charges('', refresh)],
    finds: [],
  },
  {
    title: 'it finds nothing where 401 says that the operation is for customers',
    story: [
      charges('', { by: 'customer' }),
      charges('', { ...inOtherScheme, ...REFUSED }),
      users(inOtherScheme),
    ],
    finds: [],
  },
  {
    title: 'it finds a refresh token that only one operation refuses',
    story: [
      users({}),
      users({ ...refresh, ...REFUSED }),
      charges('', refresh),
      users({ ...refresh, ...REFUSED }),
    ],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds a refresh token that is refused after another operation accepted it',
    story: [users({}), charges('', refresh), users({ ...refresh, ...REFUSED })],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a refresh token that is accepted everywhere',
    story: [users(refresh), charges('', refresh)],
    finds: [],
  },
  {
    title: 'it finds nothing in a refresh token that has ended since it was accepted',
    story: [charges('', refresh), pass(2 * 3_600_000), users({ ...refresh, ...REFUSED })],
    finds: [],
  },
  {
    title:
      'it finds nothing in a refresh token that has ended while the service was slow to respond',
    story: [
      users({}),
      charges('', refresh),
      pass(3_598_000),
      users({ ...refresh, ...REFUSED, ms: 3_000 }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a refresh token that ends seconds later by its expiration',
    story: [users({}), charges('', refresh), pass(3_598_000), users({ ...refresh, ...REFUSED })],
    finds: [],
  },
  {
    title: 'it finds nothing in a refresh token that a new sign-in has ended',
    story: [
      users({}),
      charges('', refresh),
      pass(1_000),
      signIn('partner'),
      users({ ...refresh, ...REFUSED }),
    ],
    finds: [],
  },
  {
    title: 'it finds another scheme that only one operation accepts',
    story: [users({}), users({ ...inOtherScheme, ...REFUSED }), charges('', inOtherScheme)],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a token that may have ended, if its lifetime is in milliseconds',
    story: [users({}), pass(10_000), users(REFUSED)],
    finds: [],
  },
  {
    title: 'it finds nothing in a token that a new sign-in has ended',
    story: [charges('', BY_CUSTOMER), pass(1_000), signIn('partner'), charges('', OF_CUSTOMER)],
    finds: [],
  },
  {
    title: 'it finds nothing in a token of a service whose clock was set back',
    story: [users({}), users({ ...REFUSED, responds: { date: 'Mon, 02 Nov 2026 12:00:00 GMT' } })],
    finds: [],
  },
  {
    title: 'it finds nothing in a token that may have ended while the service was slow to respond',
    story: [users({}), pass(1_500), users({ ...REFUSED, ms: 3_000 })],
    finds: [],
  },
  {
    title: 'it finds nothing in a token that may have ended since the request of a slow sign-in',
    story: [signIn('partner', { ms: 3_000 }), pass(3_000), users({}), pass(1_000), users(REFUSED)],
    finds: [],
  },
  {
    title: 'it finds a token that ends within its shortest lifetime',
    story: [users({}), pass(1_500), users(REFUSED)],
    finds: ['access-consistent@listUsers'],
  },
])
