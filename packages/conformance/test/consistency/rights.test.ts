import {
  cancel,
  charges,
  createCharge,
  createWebhook,
  expectFindingsWith,
  type Json,
  type Manner,
  read,
  readUser,
  remove,
  update,
} from '../story.ts'
import {
  actAs,
  BY_CUSTOMER,
  CONSISTENT,
  createWithSameId,
  FIRST_CUSTOMER,
  LATER,
  listForPartner,
  MISSING,
  SECOND,
  SECOND_CUSTOMER,
  SECOND_USER,
} from './steps.ts'

const FORBIDDEN: Manner = { refused: 'forbidden', status: 403 }

const NOT_FOUND: Manner = { refused: 'not_found', status: 404 }

const updateByCustomer = update({ status: 'inactive' }, BY_CUSTOMER)

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
    title:
      'it finds nothing in a list that shows a code whose id is that of a hidden code of the other kind',
    story: [
      createCharge(),
      createWithSameId(BY_CUSTOMER),
      cancel({}, MISSING),
      charges(),
      cancel({}, MISSING),
    ],
    finds: [],
  },
  {
    title: 'it finds a record of a customer that a list shows after a request did not find it',
    story: [createCharge({}, BY_CUSTOMER), cancel({}, MISSING), listForPartner],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a record that may be seen, and not cancelled',
    story: [
      createCharge({}, BY_CUSTOMER),
      listForPartner,
      cancel({}, { refused: 'forbidden', status: 403 }),
    ],
    finds: [],
  },
  {
    title: 'it finds a record of a customer that a list shows and the next request does not find',
    story: [createCharge({}, BY_CUSTOMER), listForPartner, cancel({}, MISSING)],
    finds: ['access-consistent@cancelImmediateQrCode'],
  },
  {
    title: 'it finds a webhook that is forbidden to the customer that has created it',
    story: [createWebhook({}, BY_CUSTOMER), read({}, { ...BY_CUSTOMER, ...FORBIDDEN })],
    finds: ['access-consistent@getWebhook'],
  },
  {
    title:
      'it finds it after the milliseconds of the token too, if the token has worked for longer',
    story: [LATER, createWebhook({}, BY_CUSTOMER), read({}, { ...BY_CUSTOMER, ...FORBIDDEN })],
    finds: ['access-consistent@getWebhook'],
  },
  {
    title: 'it finds nothing in a webhook that is forbidden to a token that may have expired',
    story: [createWebhook({}, BY_CUSTOMER), LATER, read({}, { ...BY_CUSTOMER, ...FORBIDDEN })],
    finds: [],
  },
  {
    title: 'it finds nothing in a webhook that is forbidden to a token in another header',
    story: [createWebhook(), read({}, { ...FORBIDDEN, authorization: 'bearer token-of-partner' })],
    finds: [],
  },
  {
    title: 'it finds nothing in a webhook of the partner that is forbidden to a customer',
    story: [createWebhook(), read({}, { ...BY_CUSTOMER, ...FORBIDDEN })],
    finds: [],
  },
  {
    title: 'it finds a change of a webhook that is hidden from the same customer before',
    story: [createWebhook(), read({}, { ...BY_CUSTOMER, ...FORBIDDEN }), updateByCustomer],
    finds: ['access-consistent@updateWebhook'],
  },
  {
    title: 'it finds a change of a webhook that is hidden from the same customer after',
    story: [createWebhook(), updateByCustomer, read({}, { ...BY_CUSTOMER, ...NOT_FOUND })],
    finds: ['access-consistent@updateWebhook'],
  },
  {
    title: 'it finds nothing in a customer who changes and reads a webhook of the partner',
    story: [createWebhook(), updateByCustomer, read({}, BY_CUSTOMER)],
    finds: [],
  },
  {
    title:
      'it finds nothing in a webhook that the customer has deleted, and does not find any more',
    story: [createWebhook(), remove(BY_CUSTOMER), read({}, BY_CUSTOMER)],
    finds: [],
  },
  {
    title: 'it finds a user who acts for the customer of another user',
    story: [readUser(), SECOND, actAs({}), actAs({ user_id: SECOND_USER })],
    finds: ['access-consistent@impersonate'],
  },
])
