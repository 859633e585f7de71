import { expect, test } from 'vitest'
import { answers, withItems } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('filter-complete', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a filter that leaves a record out', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('tax_id=') ? withItems(reply, (items) => items.slice(1)) : reply,
  )
  expect(await run(fault)).toEqual(found('discovery filter-complete listImmediateQrCodes'))
})
