import { expect, test } from 'vitest'
import { accepts, answers, isSuccess, problem, race } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

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

test('finds a tx_id that is taken twice at once', async () => {
  const fault = race('createImmediateQrCode')
  expect(await run(fault)).toEqual(found('discovery unique-refused createImmediateQrCode'))
})
