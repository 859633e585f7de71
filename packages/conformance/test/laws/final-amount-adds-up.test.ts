import { expect, test } from 'vitest'
import { answers, shows, withBody } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('final-amount-adds-up', { beside: ['example-accepted'], operations: ['checkCode'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each(['original_amount', 'deduction', 'discount', 'interest', 'fine', 'final_amount'])(
  'finds another %s than the others come to',
  async (name) => {
    const fault = shows('checkCode', (body) => ({ ...body, [name]: '35.93' }))
    expect(await run(fault)).toEqual(found('discovery final-amount-adds-up checkCode'))
  },
)

test('counts the parts by their signs, and in centavos', async () => {
  const parts = { deduction: '-0.1', discount: '1', interest: '0.02', fine: '3.00', final_amount: '12.12' }
  const fault = shows('checkCode', (body) => ({ ...body, original_amount: '10.00', ...parts }))
  expect(await run(fault)).toEqual(HELD)
})

test('says nothing of a code without an amount', async () => {
  const fault = shows('checkCode', ({ original_amount: _, ...body }) => body)
  expect(await run(fault)).toEqual(UNJUDGED)
})

test('says nothing of a refusal', async () => {
  const fault = answers('checkCode', (reply) => ({
    ...withBody(reply, (body) => ({ ...body, fine: '1.00' })),
    status: 422,
  }))
  expect(await run(fault)).toEqual({
    status: 'not-assessed',
    found: ['discovery example-accepted checkCode'],
  })
})
