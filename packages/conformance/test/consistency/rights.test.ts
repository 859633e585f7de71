import {
  charge,
  check,
  expectFindingsWith,
  type Json,
  type Manner,
  pass,
  payCode,
  readUser,
} from '../story.ts'
import {
  actAs,
  CONSISTENT,
  FIRST_CUSTOMER,
  SECOND,
  SECOND_CUSTOMER,
  SECOND_USER,
  SETTLED,
} from './steps.ts'

const NOT_FOUND: Manner = { refused: 'not_found', status: 404 }

const OF_SECOND: Json = { user_id: SECOND_USER, customer_id: SECOND_CUSTOMER.id }

const BOTH = readUser({ customers: [FIRST_CUSTOMER, SECOND_CUSTOMER] }, SECOND_USER)

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds nothing in a user who acts for its own customer, and for no other',
    story: [readUser(), SECOND, actAs({}), actAs({ user_id: SECOND_USER }, NOT_FOUND)],
    finds: [],
  },
  {
    title: 'it finds a user who may not act for a customer that its look-up shows',
    story: [
      readUser(),
      BOTH,
      actAs({}),
      actAs(OF_SECOND),
      actAs({ user_id: SECOND_USER }, NOT_FOUND),
    ],
    finds: ['access-consistent@impersonate'],
  },
  {
    title: 'it finds nothing in a user who may act for nobody',
    story: [readUser(), BOTH, actAs({}), actAs({ user_id: SECOND_USER }, NOT_FOUND)],
    finds: [],
  },
  {
    title: 'it finds a code that is paid after the end that its check had shown',
    story: [charge, check({ expiration: '2026-11-02T14:40:00Z' }), pass(900_000), payCode(SETTLED)],
    finds: ['money-consistent@createTransfer'],
  },
])
