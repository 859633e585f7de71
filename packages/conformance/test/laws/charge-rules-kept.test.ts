import { expect, test } from 'vitest'
import { accepts, type Body } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('charge-rules-kept')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each<[string, (body: Body) => boolean]>([
  ['no original amount', ({ amount }) => amount.original === undefined],
  ['no due date', ({ calendar }) => calendar.due_date === undefined],
  ['a due date that has passed', ({ calendar }) => calendar.due_date === '2020-01-02'],
  ['an amount of zero', ({ amount }) => amount.original === '0.00'],
  ['a deduction above the amount', ({ amount }) => amount.deduction?.amount === '20.00'],
  ['a discount of all of it', ({ amount }) => amount.discount?.amount === '100.00'],
  ['a discount after the due date', (body) => isPlain(body) && discountDay(body) > dueDay(body)],
  ['the key of someone else', ({ dict_key }) => dict_key === 'beltrana@example.com'],
])('finds a charge with %s', async (_, isMeant) => {
  const fault = accepts('createDueDateQrCode', isMeant, 201)
  expect(await run(fault)).toEqual(found('discovery charge-rules-kept createDueDateQrCode'))
})

const runFaulty = runOfFaulty('charge-rules-kept')

test.each([
  ['charge-to-a-foreign-key', 'discovery charge-rules-kept createImmediateQrCode'],
  ['immediate-charge-of-nothing', 'discovery charge-rules-kept createImmediateQrCode'],
  ['static-code-to-a-foreign-key', 'discovery charge-rules-kept createStaticQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

function discountDay({ amount }: Body): string {
  return amount.discount?.fixedDateDiscount?.[0]?.date ?? ''
}

/** Whether it is the charge that a day was made for, and says the day alone. */
function isPlain(body: Body): boolean {
  return body.amount.original === '10.00' && discountDay(body).length === 10
}

function dueDay({ calendar }: Body): string {
  return calendar.due_date ?? ''
}

test.each([
  ['message-too-long-for-its-key', 'discovery charge-rules-kept createStaticQrCode'],
  ['fixed-discount-above-the-amount', 'discovery charge-rules-kept createDueDateQrCode'],
  ['deduction-of-100-percent', 'discovery charge-rules-kept createDueDateQrCode'],
  ['discount-without-its-dates', 'discovery charge-rules-kept createDueDateQrCode'],
  ['due-today-refused', 'discovery charge-rules-kept createDueDateQrCode'],
  ['charge-of-a-customer-to-the-partner', 'discovery charge-rules-kept createImmediateQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
