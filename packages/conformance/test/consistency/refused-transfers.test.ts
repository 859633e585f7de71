import { expect, test } from 'vitest'
import {
  deliver,
  expectFindingsWith,
  type Json,
  lookUp,
  type Manner,
  pass,
  payKey,
  readStory,
  type Step,
  webhook,
} from '../story.ts'
import { CONSISTENT } from './steps.ts'

const OWN_ID = 'E12345678202611021430abcdefghij1'
const UNKNOWN_ID = 'E12345678202611021430abcdefghij2'

/** An amount that no other request of a story has. */
const AMOUNT = '47.13'

const REFUSED: Manner = { refused: 'initiation_used' }

/** A payment with a description that its event does not show. */
function pay(amount: string, manner: Manner = {}): Step {
  return payKey({ amount }, { id: `tr-${amount}`, amount, end_to_end_id: OWN_ID }, manner)
}

/** An event that says that money was moved, in fields of the service's own. */
function moved(data: Json, type = 'transfer.settled'): Step {
  return deliver({ name: 'transferSettledEvent', edit: { type, data } })
}

const PAID = [webhook, lookUp(), pay('25.00')]
const FOUND = ['money-consistent@createTransfer']

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds the event of a refused transfer by an amount that no other one has',
    story: [...PAID, pay(AMOUNT, REFUSED), moved({ transfer: 'tr-9', amount: AMOUNT })],
    finds: FOUND,
  },
  {
    title: 'it finds it where the amount is deep inside',
    story: [...PAID, pay(AMOUNT, REFUSED), moved({ items: [{ id: 'tr-9', amount: AMOUNT }] })],
    finds: FOUND,
  },
  {
    title: 'it finds the credit of a refused transfer',
    story: [
      ...PAID,
      pay(AMOUNT, REFUSED),
      moved({ end_to_end_id: UNKNOWN_ID, amount: AMOUNT }, 'transfer.received'),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds it if several were refused with this amount',
    story: [
      ...PAID,
      pay(AMOUNT, REFUSED),
      pay(AMOUNT, REFUSED),
      moved({ transfer: 'tr-9', amount: AMOUNT }),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds another payment of the amount of an accepted and a refused transfer',
    story: [
      webhook,
      lookUp(),
      pay(AMOUNT),
      pay(AMOUNT, REFUSED),
      moved({ transfer: 'tr-9', end_to_end_id: UNKNOWN_ID, amount: AMOUNT }),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds nothing in an event that may be that of an accepted transfer',
    story: [
      webhook,
      lookUp(),
      pay(AMOUNT),
      pay(AMOUNT, REFUSED),
      moved({ transfer: 'tr-9', amount: AMOUNT }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in the event of an accepted transfer, which names it',
    story: [
      webhook,
      lookUp(),
      pay(AMOUNT),
      pay(AMOUNT, REFUSED),
      moved({ end_to_end_id: OWN_ID, amount: AMOUNT }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing if a transfer of this amount has an unknown outcome',
    story: [
      ...PAID,
      pay(AMOUNT, { lost: true }),
      pay(AMOUNT, REFUSED),
      moved({ transfer: 'tr-9', amount: AMOUNT }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing by an amount that others may send too',
    story: [
      ...PAID,
      pay('99.90', REFUSED),
      pay('12.12', REFUSED),
      moved({ transfer: 'tr-9', amount: '99.90' }),
      moved({ transfer: 'tr-8', amount: '12.12' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an event that comes before the refusal, or long after it',
    story: [
      ...PAID,
      moved({ transfer: 'tr-9', amount: AMOUNT }),
      pay(AMOUNT, REFUSED),
      pass(61_000),
      moved({ transfer: 'tr-9', amount: AMOUNT }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an event that says nothing of money',
    story: [
      ...PAID,
      pay(AMOUNT, REFUSED),
      moved({ transfer: 'tr-9', amount: AMOUNT }, 'transfer.rejected'),
      moved({ transfer: 'tr-9', amount: AMOUNT }, 'payout.refused'),
    ],
    finds: [],
  },
])

test('it calls the event of a refused transfer critical', () => {
  const story = [...PAID, pay(AMOUNT, REFUSED), moved({ transfer: 'tr-9', amount: AMOUNT })]
  const { findings } = readStory(story, CONSISTENT)
  expect(findings).toMatchObject([{ severity: 'critical' }])
})

test('it finds nothing if the history does not show all requests', () => {
  const story = [...PAID, pay(AMOUNT, REFUSED), moved({ transfer: 'tr-9', amount: AMOUNT })]
  expect(readStory(story, { ...CONSISTENT, isComplete: false }).findings).toEqual([])
})
