import { expect, test } from 'vitest'
import { accepts, answers, isSuccess, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('unique-refused', { operations: ['createImmediateQrCode'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a tx_id that is taken twice', async () => {
  const fault = accepts('createImmediateQrCode')
  expect(await run(fault)).toEqual(found('discovery unique-refused createImmediateQrCode'))
})

test('finds a tx_id that is refused with another status', async () => {
  const fault = answers('createImmediateQrCode', (reply) => (isSuccess(reply) ? reply : problem(422)))
  expect(await run(fault)).toEqual(found('discovery unique-refused createImmediateQrCode'))
})

const runFaulty = runOfFaulty('unique-refused')

test.each([
  ['foreign-tx-id-taken', 'discovery unique-refused createImmediateQrCode'],
  ['tx-id-used-at-once', 'discovery unique-refused createDueDateQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
