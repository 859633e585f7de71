import { expect, test } from 'vitest'
import {
  check,
  codeOf,
  create,
  createCharge,
  example,
  pass,
  payCode,
  readStory,
  type Step,
} from './story.ts'

const calendar = { expiration: 600 }
/** A charge of ten minutes, created at 14:30:00. */
const charge = createCharge({ calendar })

/** The same, whose record does not show when it was created, and whose response takes so long. */
function chargeWithoutTime(ms = 1): Step {
  return createCharge({ calendar }, { ms, shows: { created_at: undefined } })
}

/** Counts what the rule finds in the check of a charge that shows this expiration. */
function countFindings(creation: Step, expiration: string): number {
  const shows = { ...example('immediateCode'), expiration }
  const { findings } = readStory([creation, pass(5_000), check(shows, { emv: codeOf(1) })])
  return findings.filter(({ rule }) => rule === 'codes-expiration').length
}

test('it reads an expiration that is written with an offset', () => {
  expect(countFindings(charge, '2026-11-02T11:40:00-03:00')).toBe(0)
  expect(countFindings(charge, '2026-11-02T14:40:00-03:00')).toBe(1)
})

test('it allows for the time of the request where no record shows when a charge was created', () => {
  expect(countFindings(chargeWithoutTime(4_000), '2026-11-02T14:40:00Z')).toBe(0)
  expect(countFindings(chargeWithoutTime(4_000), '2026-11-02T14:41:00Z')).toBe(1)
  expect(countFindings(charge, '2026-11-02T14:40:04Z')).toBe(1)
})

test('it reads on where an expiration is beyond all dates', () => {
  const endless = createCharge({ calendar: { expiration: 1e13 } })
  expect(countFindings(endless, '2026-11-02T14:40:00Z')).toBe(0)
})

test('it calculates no last day from days before the due date', () => {
  const calendar = { due_date: '2026-11-09', expiration_days: -1e15 }
  const due = create('dueDateQrCode', { amount: { original: '10.00' }, calendar })
  const emv = codeOf(1, 'dueDateQrCode')
  const refusal = payCode({}, { emv, refused: 'code_expired' })
  expect(() => readStory([due, pass(5_000), refusal])).not.toThrow()
})
