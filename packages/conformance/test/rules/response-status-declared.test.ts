import { expect, test } from 'vitest'
import { answers, type Fault, isSuccess, problem } from './broken.ts'
import { withStatuses } from './contracts.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('response-status-declared', {
  beside: ['list-pages'],
  operations: ['listImmediateQrCodes'],
})
const runHead = runOf('response-status-declared', {
  beside: ['head-equals-get'],
  operations: ['listImmediateQrCodes'],
})
const ranged = runOf('response-status-declared', under('2XX'))
const others = runOf('response-status-declared', under('default'))

test.each(['2XX', 'default'])('takes %s for a status that is declared', async (name) => {
  expect(await (name === '2XX' ? ranged : others)()).toEqual(HELD)
})

/** A contract that declares a success by another name. */
function under(name: string) {
  const contract = withStatuses('getUser', ({ 200: success, ...rest }: { 200?: unknown }) => ({
    ...rest,
    [name]: success,
  }))
  return { contract, beside: ['record-shown'], operations: ['getUser'] }
}

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
  expect(await run(fault)).toEqual(found('deviation response-status-declared listImmediateQrCodes'))
})

test('says nothing of another method than the operation has', async () => {
  const fault: Fault = async (call, next) => (call.method === 'HEAD' ? problem(405) : next(call))
  const found = ['deviation head-equals-get listImmediateQrCodes']
  expect(await runHead(fault)).toEqual({ status: 'passed', found })
})
