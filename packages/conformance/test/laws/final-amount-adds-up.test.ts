import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('final-amount-adds-up', { beside: ['example-accepted'], operations: ['checkCode'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a final amount that its parts do not come to', async () => {
  const fault = answers('checkCode', (reply) =>
    withBody(reply, (body) => ({ ...body, final_amount: '35.91' })),
  )
  expect(await run(fault)).toEqual(found('discovery final-amount-adds-up checkCode'))
})
