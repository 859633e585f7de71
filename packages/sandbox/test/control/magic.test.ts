import { afterAll, beforeAll, expect, test } from 'vitest'
import type { State } from '../../src/control/state.ts'
import type { magic } from '../../src/transfers/rejections.ts'
import { type Started, start } from './start.ts'

let sandbox: Started
beforeAll(async () => {
  sandbox = await start()
})
afterAll(() => sandbox.close())

test('every magic key and amount forces its documented rejection', async () => {
  const { body } = await sandbox.control<ReturnType<typeof magic>>('GET', '/magic')
  expect(body.keys.length).toBe(10)
  expect(body.amounts.length).toBe(10)
  const expected = []
  for (const { dict_key, rejection_message } of body.keys) {
    await (await sandbox.payments.keys.check(dict_key)).pay({ amount: '1.00' })
    expected.push([dict_key, rejection_message])
  }
  for (const { amount, rejection_message } of body.amounts) {
    await (await sandbox.payments.keys.check('beltrana@example.com')).pay({ amount })
    expected.push([amount, rejection_message])
    // The balance is too low to hold all amounts at once.
    await sandbox.control('POST', '/clock', { advance_seconds: 1 })
  }
  const { transfers } = (await sandbox.control<State>('GET', '/state')).body
  const ended = transfers.map((it) => [it.status, it.rejection_message]).reverse()
  expect(ended).toEqual(expected.map(([, message]) => ['rejected', message]))
})
