import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('charge-amounts')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an amount that leaves out the deduction', async () => {
  const fault = answers('checkCode', (reply) =>
    withBody(reply, (body) => ({ ...body, final_amount: body.original_amount })),
  )
  expect(await run(fault)).toEqual(found('discovery charge-amounts checkCode'))
})

const runFaulty = runOfFaulty('charge-amounts')

test.each([
  ['discount-until-a-date-ignored', 'discovery charge-amounts checkCode'],
  ['discount-of-percent-as-a-value', 'discovery charge-amounts checkCode'],
  ['discount-after-its-date', 'discovery charge-amounts checkCode'],
  ['discount-of-one-day', 'discovery charge-amounts checkCode'],
  ['discount-of-percent-for-one-day', 'discovery charge-amounts checkCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
