import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('parameter-break-refused', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a parameter that is taken beyond its edge', async () => {
  const fault = accepts('listImmediateQrCodes', (_, call) => call.path.includes('limit='))
  expect(await run(fault)).toEqual(found('discovery parameter-break-refused listImmediateQrCodes'))
})

test('finds a parameter that is taken twice', async () => {
  const fault = accepts('listImmediateQrCodes', (_, call) => /status=.*status=/.test(call.path))
  expect(await run(fault)).toEqual(found('discovery parameter-break-refused listImmediateQrCodes'))
})
