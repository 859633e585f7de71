import { expect, test } from 'vitest'
import { answers, type Fault, isSuccess, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('response-status-declared', {
  beside: ['limit-respected'],
  operations: ['listImmediateQrCodes'],
})
const runHead = runOf('response-status-declared', {
  beside: ['head-equals-get'],
  operations: ['listImmediateQrCodes'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a success that is not declared', async () => {
  const fault = answers('listImmediateQrCodes', (reply) =>
    isSuccess(reply) ? { ...reply, status: 206 } : reply,
  )
  expect(await run(fault)).toEqual(found('failure response-status-declared listImmediateQrCodes'))
})

test('takes an error that is not declared for an addition', async () => {
  const fault = answers('listImmediateQrCodes', (reply) => (isSuccess(reply) ? problem(410) : reply))
  expect(await run(fault)).toEqual(found('discovery response-status-declared listImmediateQrCodes'))
})

test('says nothing of another method than the operation has', async () => {
  const fault: Fault = async (call, next) => (call.method === 'HEAD' ? problem(405) : next(call))
  const found = ['discovery head-equals-get listImmediateQrCodes']
  expect(await runHead(fault)).toEqual({ status: 'held', found })
})
