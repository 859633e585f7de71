import { expect, test } from 'vitest'
import { answers, refusing, shows } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('cursor-ends', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a cursor on the last page', async () => {
  const fault = shows('listImmediateQrCodes', (body) => ({ ...body, next_cursor: 'c_more' }))
  expect(await run(fault)).toEqual(found('discovery cursor-ends listImmediateQrCodes'))
})

test('finds a page that its own cursor does not lead to', async () => {
  const fault = answers('listImmediateQrCodes', refusing(400))
  expect(await run(fault)).toEqual(found('discovery cursor-ends listImmediateQrCodes'))
})
