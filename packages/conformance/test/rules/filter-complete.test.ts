import { expect, test } from 'vitest'
import { answers, withItems } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('filter-complete', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a filter that leaves a record out', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('tax_id=') ? withItems(reply, (items) => items.slice(1)) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation filter-complete listImmediateQrCodes'))
})

const runFaulty = runOfFaulty('filter-complete')

test.each([['filter-by-cancelled-empty', 'deviation filter-complete listImmediateQrCodes']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
