import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

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
