import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('charge-rules-kept')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a charge whose due date has passed', async () => {
  const fault = accepts('createDueDateQrCode', ({ calendar }) => calendar?.due_date === '2020-01-02', 201)
  expect(await run(fault)).toEqual(found('discovery charge-rules-kept createDueDateQrCode'))
})

test('finds a charge for the key of someone else', async () => {
  const fault = accepts('createDueDateQrCode', ({ dict_key }) => dict_key === 'beltrana@example.com', 201)
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
