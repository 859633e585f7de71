import { fieldsOf } from '../../src/contract/json.ts'
import { example, expectFindingsWith, lookUp, payKey, webhook } from '../story.ts'
import { CONSISTENT, settledEvent } from './steps.ts'

/** The event of a transfer that nobody has made, with the text and the amount of `payKey`. */
const otherEvent = settledEvent({ id: '00000000-0000-4000-8000-000000000077' })

/** The payment that `payKey` makes, as its payee sees it. */
const { amount, end_to_end_id } = fieldsOf(example('keySettled').data)
const PAYMENT_OF_KEY = { amount, end_to_end_id }

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds an event with another payment than the transfer',
    story: [
      webhook,
      lookUp(),
      payKey(),
      settledEvent({ end_to_end_id: 'E12345678202611021430abcdefghij9' }),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds an event with another time than the response to the transfer',
    story: [webhook, lookUp(), payKey(), settledEvent({ settled_at: '2026-11-02T14:00:00.000Z' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a transfer that has both ends',
    story: [
      webhook,
      lookUp(),
      payKey(),
      settledEvent({}),
      settledEvent({ status: 'rejected' }, 'transfer.rejected'),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds the credit of a transfer that was rejected',
    story: [
      webhook,
      lookUp(),
      payKey(),
      settledEvent({ status: 'rejected' }, 'transfer.rejected'),
      settledEvent({ payment: PAYMENT_OF_KEY }, 'transfer.received'),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds the event of a transfer that was refused',
    story: [webhook, lookUp(), payKey({}, {}, { refused: 'insufficient_funds' }), otherEvent],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in an event that names another id than its transfer',
    story: [webhook, lookUp(), payKey(), otherEvent],
    finds: [],
  },
  {
    title: 'it finds nothing in the event of a transfer',
    story: [webhook, lookUp(), payKey(), settledEvent({})],
    finds: [],
  },
  {
    title: 'it finds an event with another amount than the transfer',
    story: [webhook, lookUp(), payKey(), settledEvent({ amount: '4590.00' })],
    finds: ['money-consistent@createTransfer'],
  },
])
