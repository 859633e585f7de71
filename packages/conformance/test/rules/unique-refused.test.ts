import { expect, test } from 'vitest'
import {
  accepts,
  answers,
  bodyOf,
  both,
  type Fault,
  isSuccess,
  ok,
  problem,
  race,
  refuses,
} from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('unique-refused', { operations: ['createImmediateQrCode', 'createDueDateQrCode'] })
const runOne = runOf('unique-refused', { operations: ['createImmediateQrCode'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a tx_id that is taken twice', async () => {
  const fault = accepts('createImmediateQrCode')
  expect(await run(fault)).toEqual(found('deviation unique-refused createImmediateQrCode'))
})

test('finds a tx_id that is refused with another status', async () => {
  const fault = answers('createImmediateQrCode', (reply) => (isSuccess(reply) ? reply : problem(422)))
  expect(await runOne(fault)).toEqual(found('deviation unique-refused createImmediateQrCode'))
})

test('finds a tx_id that is taken twice at once', async () => {
  const fault = race('createImmediateQrCode')
  expect(await run(fault)).toEqual(found('deviation unique-refused createImmediateQrCode'))
})

test('finds a tx_id that a charge of another kind has used', async () => {
  const used = new Set<string>()
  const fault: Fault = async (call, next, called) => {
    const reply = await next(call)
    const { tx_id } = bodyOf(call)
    if (called === 'createImmediateQrCode') used.add(tx_id)
    return called === 'createDueDateQrCode' && used.has(tx_id) && !isSuccess(reply) ? ok({}, 200) : reply
  }
  expect(await run(fault)).toEqual(found('deviation unique-refused createDueDateQrCode'))
})

test('is not judged where nothing can be made', async () => {
  const fault = both(refuses('createImmediateQrCode'), refuses('createDueDateQrCode'))
  expect(await run(fault)).toEqual(UNJUDGED)
})

test('looks at no operation that it was not asked about', async () => {
  expect(await run(accepts('createTransfer'))).toEqual(HELD)
})

const runFaulty = runOfFaulty('unique-refused')

test.each([
  ['foreign-tx-id-taken', 'deviation unique-refused createImmediateQrCode'],
  ['tx-id-used-at-once', 'deviation unique-refused createDueDateQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test.each([['tx-id-free-after-cancellation', 'deviation unique-refused createImmediateQrCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
