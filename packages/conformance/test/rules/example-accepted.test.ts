import { expect, test } from 'vitest'
import { alters, bodyOf, problem, refuses, refusing } from './broken.ts'
import { found, NOT_ASSESSED, PASSED, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('example-accepted', { operations: ['checkKey'] })
const runTransfer = runOf('example-accepted', { operations: ['createTransfer'] })
const live = runOf('example-accepted', { target: 'live', operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds a request of the contract that is refused', async () => {
  const fault = alters('checkKey', refusing(400))
  expect(await run(fault)).toEqual(found('deviation example-accepted checkKey'))
})

test('takes a rule that refuses it for a deviation', async () => {
  const fault = alters('checkKey', refusing(422))
  expect(await run(fault)).toEqual(found('deviation example-accepted checkKey'))
})

test('finds another success than the declared one', async () => {
  const fault = alters('checkKey', (reply) => ({ ...reply, status: 201 }))
  expect(await run(fault)).toEqual(found('failure example-accepted checkKey'))
})

test('finds each of the examples', async () => {
  const fault = alters('createTransfer', (reply, call) =>
    bodyOf(call).type === 'emv' ? problem(400) : reply,
  )
  expect(await runTransfer(fault)).toEqual(found('deviation example-accepted createTransfer'))
})

test.each([404, 409])('takes a refusal with %d for a deviation', async (status) => {
  expect(await run(refuses('checkKey', status))).toEqual(found('deviation example-accepted checkKey'))
})

test('is not judged of a live service that knows nothing of what the contract makes up', async () => {
  expect(await live(refuses('checkKey', 404))).toEqual(NOT_ASSESSED)
  expect(await live(refuses('checkKey', 409))).toEqual(NOT_ASSESSED)
  expect(await live(refuses('checkKey', 422))).toEqual(NOT_ASSESSED)
})

test('is not judged where what the request rests on is refused', async () => {
  expect(await runTransfer(refuses('checkKey'))).toEqual(PASSED)
})

test('looks at no operation that it was not asked about', async () => {
  expect(await run(refuses('checkCode'))).toEqual(PASSED)
})

test('finds the same request refused without accept', async () => {
  const fault = alters('checkKey', (reply, call) => ('accept' in call.headers ? reply : problem(406)))
  expect(await run(fault)).toEqual(found('failure example-accepted checkKey'))
})

test('finds the same request refused for the letters of its scheme', async () => {
  const fault = alters('checkKey', (reply, call) =>
    call.headers.authorization?.startsWith('bearer') ? problem(401) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation example-accepted checkKey'))
})

const runFaulty = runOfFaulty('example-accepted')

test.each([
  ['discount-until-the-due-date-refused', 'deviation example-accepted createDueDateQrCode'],
  ['basic-in-small-letters-refused', 'deviation example-accepted signIn'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
