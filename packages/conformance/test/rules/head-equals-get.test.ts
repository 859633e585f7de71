import { expect, test } from 'vitest'
import { type Fault, withHeader } from './broken.ts'
import { found, NOT_ASSESSED, PASSED, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('head-equals-get', { operations: ['getUser', 'checkKey'] })
const mocked = runOf('head-equals-get', { target: 'mock', operations: ['getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds a body with HEAD', async () => {
  const fault: Fault = async (call, next) => {
    const reply = await next(call)
    return call.method === 'HEAD' ? { ...reply, text: '{}' } : reply
  }
  expect(await run(fault)).toEqual(found('deviation head-equals-get getUser'))
})

test('finds another status with HEAD', async () => {
  const fault: Fault = async (call, next) => {
    const reply = await next(call)
    return call.method === 'HEAD' ? { ...reply, status: 206 } : reply
  }
  expect(await run(fault)).toEqual(found('deviation head-equals-get getUser'))
})

test('finds another type with HEAD', async () => {
  const fault: Fault = async (call, next) => {
    const reply = await next(call)
    return call.method === 'HEAD' ? withHeader(reply, 'content-type', 'text/plain') : reply
  }
  expect(await run(fault)).toEqual(found('deviation head-equals-get getUser'))
})

test('is not judged of a mock, which has what the contract declares', async () => {
  expect(await mocked()).toEqual(NOT_ASSESSED)
})

const runFaulty = runOfFaulty('head-equals-get')

test.each([
  ['head-for-nobody', 'deviation head-equals-get listUsers'],
  ['head-of-what-is-not-there', 'deviation head-equals-get getWebhook'],
  ['head-length-of-nothing', 'deviation head-equals-get getUser'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
