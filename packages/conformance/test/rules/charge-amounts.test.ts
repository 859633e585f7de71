import { expect, test } from 'vitest'
import { type Body, bodyOf, both, type Fault, refuses, withBody } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('charge-amounts')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each<[string, (amount: Body) => boolean]>([
  ['without adjustments', (it) => !it.deduction && !it.fine],
  ['with a fixed deduction', (it) => it.deduction?.modality === '1'],
  ['with a deduction of percent', (it) => it.deduction?.modality === '2'],
  ['with a fine that is not due', (it) => it.fine],
])('finds another amount of a charge %s', async (_, isMeant) => {
  expect(await run(dearer('createDueDateQrCode', isMeant))).toEqual(
    found('deviation charge-amounts checkCode'),
  )
})

const runFaulty = runOfFaulty('charge-amounts')

test.each([
  ['discount-until-a-date-ignored', 'deviation charge-amounts checkCode'],
  ['discount-of-percent-as-a-value', 'deviation charge-amounts checkCode'],
  ['discount-after-its-date', 'deviation charge-amounts checkCode'],
  ['discount-of-one-day', 'deviation charge-amounts checkCode'],
  ['discount-of-percent-for-one-day', 'deviation charge-amounts checkCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test('finds another amount of an immediate charge', async () => {
  expect(await run(dearer('createImmediateQrCode'))).toEqual(found('deviation charge-amounts checkCode'))
})

test('is not judged where no charge can be made', async () => {
  const fault = both(refuses('createDueDateQrCode'), refuses('createImmediateQrCode'))
  expect(await run(fault)).toEqual(UNJUDGED)
})

/** Asks for a centavo more than the charges that are meant come to. */
function dearer(operation: string, isMeant: (amount: Body) => boolean = () => true): Fault {
  const meant = new Set<string>()
  return async (call, next, called) => {
    const reply = await next(call)
    if (called === operation && isMeant(bodyOf(call).amount)) withBody(reply, ({ emv }) => meant.add(emv))
    return called === 'checkCode' && meant.has(bodyOf(call).emv)
      ? withBody(reply, (body) => ({ ...body, final_amount: `${body.final_amount.slice(0, -1)}7` }))
      : reply
  }
}

test.each([
  ['fine-on-the-due-date', 'deviation charge-amounts checkCode'],
  ['interest-on-the-due-date', 'deviation charge-amounts checkCode'],
  ['discount-ends-a-day-early', 'deviation charge-amounts checkCode'],
  ['customers-get-no-discount', 'deviation charge-amounts checkCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
