import { expect, test } from 'vitest'
import { fieldsOf } from '../../src/contract/json.ts'
import {
  charge,
  deliver,
  example,
  expectFindingsWith,
  findings,
  type Json,
  lookUp,
  PAYMENT,
  payKey,
  type Step,
  webhook,
} from '../story.ts'
import { CONSISTENT } from './steps.ts'

const DATA = fieldsOf(example('keySettled').data)
const { id, end_to_end_id } = DATA
const NAMED = { transfer: id, end_to_end_id }

/** The body of an event with its fields at places of the service's own. */
function own(event: string, payload: unknown): Json {
  return { type: undefined, timestamp: undefined, data: undefined, event, payload }
}

/** An event that says that the transfer of `payKey` has settled. */
function done(payload: Json): Step {
  const shown = { settled_at: '2026-11-02T14:30:04Z', ...payload }
  return deliver({ name: 'transferSettledEvent', edit: own('payout.done', shown) })
}

/** The event of the payee of `payKey`, in the name of the contract. */
function received(payload: unknown): Step {
  const edit = { type: 'transfer.received', data: undefined, payload }
  return deliver({ name: 'transferReceivedEvent', edit })
}

/** An event of the payer in the name of the contract, with any other fields. */
function settled(edit: Json): Step {
  return deliver({ name: 'transferSettledEvent', edit: { data: undefined, ...edit } })
}

const PAID = [webhook, lookUp(), payKey()]
const FOUND = ['money-consistent@createTransfer']

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds another amount in an event with a name and with fields of its own',
    story: [...PAID, done({ ...NAMED, amount: '250.00' })],
    finds: FOUND,
  },
  {
    title: 'it finds nothing in such an event with the amount of its transfer',
    story: [...PAID, done({ ...NAMED, amount: '25.0' })],
    finds: [],
  },
  {
    title: 'it finds another amount beside the id of the transfer alone, deep inside',
    story: [...PAID, settled({ items: [{ object: { ref: id, amount: '2.50' } }] })],
    finds: FOUND,
  },
  {
    title: 'it finds another amount in the event of the payee',
    story: [...PAID, received({ end_to_end_id, amount: '24.00' })],
    finds: FOUND,
  },
  {
    title: 'it finds nothing in the event of the payee with the amount of the transfer',
    story: [...PAID, received({ end_to_end_id, amount: '25.00' })],
    finds: [],
  },
  {
    title:
      'it finds nothing in a later event of the payee, which may be about money that came back',
    story: [
      ...PAID,
      received({ end_to_end_id, amount: '25.00' }),
      received({ end_to_end_id, amount: '5.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in the return of a part of the payment',
    story: [
      ...PAID,
      received({ end_to_end_id, return: 'D99999010202611021430kL9mN1pQ2rS', amount: '5.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds two events of one payment with two amounts, if its response shows none',
    story: [
      webhook,
      lookUp(),
      payKey({}, { amount: undefined }),
      settled({ object: { ...NAMED, amount: '25.00' } }),
      received({ end_to_end_id, amount: '52.00' }),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds two such events with their fields at the declared places',
    story: [
      webhook,
      lookUp(),
      payKey({}, { amount: undefined }),
      deliver({ name: 'transferSettledEvent', data: { ...DATA, amount: '25.00' } }),
      deliver({
        name: 'transferReceivedEvent',
        data: { payment: { ...PAYMENT, end_to_end_id, amount: '52.00' } },
      }),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds nothing in one event of a payment whose response shows no amount',
    story: [
      webhook,
      lookUp(),
      payKey({}, { amount: undefined }),
      settled({ object: { ...NAMED, amount: '25.00' } }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in amounts under other names',
    story: [...PAID, settled({ object: { ...NAMED, fee: '0.10', balance: '975.00' } })],
    finds: [],
  },
  {
    title: 'it finds nothing in an amount that a fee beside it explains',
    story: [...PAID, settled({ object: { ...NAMED, amount: '24.90', fee: '0.10' } })],
    finds: [],
  },
  {
    title: 'it finds nothing in an amount that a fee inside another field explains',
    story: [
      ...PAID,
      settled({ object: { ...NAMED, amount: '24.90', fee: { amount: '0.10' } } }),
      settled({ object: { ...NAMED, amount: '25.10', costs: [{ value: 0.1 }] } }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an event that lists a fee of the transfer beside its amount',
    story: [
      ...PAID,
      settled({ object: { ...NAMED, amount: '25.00', fees: [{ transfer: id, amount: '0.10' }] } }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an event whose entries add up to the transfer',
    story: [
      ...PAID,
      settled({
        entries: [
          { transfer: id, amount: '-24.90' },
          { transfer: id, amount: '-0.10' },
        ],
      }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a list of entries, if the response shows no amount',
    story: [
      webhook,
      lookUp(),
      payKey({}, { amount: undefined }),
      settled({
        entries: [
          { transfer: id, amount: '0.10' },
          { transfer: id, amount: '25.00' },
        ],
      }),
      received({ end_to_end_id, amount: '25.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds entries of which none is the amount of the transfer',
    story: [
      ...PAID,
      settled({
        entries: [
          { transfer: id, amount: '2.50' },
          { transfer: id, amount: '0.10' },
        ],
      }),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds nothing in an amount beside the one of the transfer',
    story: [...PAID, settled({ object: { ...NAMED, amount: '24.90', gross: '25.00' } })],
    finds: [],
  },
  {
    title: 'it finds nothing in what is no plain decimal',
    story: [
      ...PAID,
      settled({ object: { ...NAMED, amount: '2,500.00' } }),
      settled({ object: { ...NAMED, amount: 2500 } }),
      // It may be in centavos.
      settled({ object: { ...NAMED, amount: '2500' } }),
      settled({ object: { ...NAMED, amount: { value: '2.50' } } }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an event that shows what the payer loses',
    story: [...PAID, settled({ object: { ...NAMED, amount: '-25.00' } })],
    finds: [],
  },
  {
    title: 'it finds nothing in an amount beside the id of a payment, in another object',
    story: [...PAID, settled({ amount: '3.00', object: NAMED })],
    finds: [],
  },
  {
    title: 'it finds nothing in an object that names two payments',
    story: [
      ...PAID,
      payKey({}, { id: 'tr-2', end_to_end_id: 'E99999010202611021430abcdefghij9', amount: '9.00' }),
      settled({ object: { first: id, second: 'tr-2', amount: '34.00' } }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an event of a transfer that two responses show with two amounts',
    story: [
      ...PAID,
      payKey({}, { amount: '30.00' }),
      settled({ object: { ...NAMED, amount: '30.00' } }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in the amount of a QR code beside the payment of the code',
    story: [
      webhook,
      charge,
      lookUp(),
      payKey(),
      received({ end_to_end_id, charge: '00000000-0000-4000-8000-000000000002', amount: '35.90' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an event whose name has no known meaning',
    story: [...PAID, settled({ type: 'payout.refunded', object: { ...NAMED, amount: '5.00' } })],
    finds: [],
  },
])

test('it searches the first objects of a large event, and not all of it', () => {
  const records = Array.from({ length: 60_000 }, () => ({ amount: '1.00' }))
  const object = { ...NAMED, amount: '250.00' }
  expect(findings([...PAID, settled({ records, object })], CONSISTENT)).toEqual(FOUND)
  expect(findings([...PAID, settled({ records: [...records, object] })], CONSISTENT)).toEqual([])
})
