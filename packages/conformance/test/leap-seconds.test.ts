import { expect, test } from 'vitest'
import { isSameShown } from '../src/contract/json.ts'
import {
  createCharge,
  createWebhook,
  findings,
  read,
  readStory,
  type Step,
  update,
  webhook,
} from './story.ts'

/** The last second of a day, after which RFC 3339 (section 5.7) allows one more. */
const LAST = '2026-12-31T23:59:59Z'
const LEAP = '2026-12-31T23:59:60Z'
const NEXT = '2027-01-01T00:00:00Z'

/** What the records of a story show as invalid or in the wrong order. */
function listOrderFaults(step: Step): string[] {
  const { findings } = readStory([step])
  const ofOrder = findings.filter(({ rule }) => rule === 'responses-agree')
  return ofOrder.map(({ message }) => message)
}

test.each([
  { created_at: LEAP, updated_at: LEAP },
  { created_at: LAST, updated_at: LEAP },
  { created_at: LEAP, updated_at: NEXT },
])('it accepts a record created at $created_at and updated at $updated_at', (shows) => {
  expect(listOrderFaults(createCharge({}, { shows }))).toEqual([])
  expect(listOrderFaults(createWebhook({}, { shows }))).toEqual([])
})

test('it finds a record that is updated in the leap second before its creation', () => {
  const shows = { created_at: '2027-01-01T00:00:02Z', updated_at: LEAP }
  expect(listOrderFaults(createCharge({}, { shows }))).toHaveLength(1)
})

test('it accepts a webhook that is updated in a leap second', () => {
  const change = update({ url: 'https://partner.example.com/b' }, { shows: { updated_at: LEAP } })
  expect(findings([webhook, read(), change])).toEqual([])
})

test('it takes a leap second with and without a fraction for one time', () => {
  expect(isSameShown(LEAP, '2026-12-31T23:59:60.000Z')).toBe(true)
  expect(isSameShown(LEAP, '2026-12-31T20:59:60-03:00')).toBe(true)
  expect(isSameShown(LEAP, '2026-12-31T23:58:59Z')).toBe(false)
})
