import { expect, test } from 'vitest'
import { answers, isSuccess, reads, withItems } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('filter-sound', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a filter that is not looked at', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace(/tax_id=\d+/, ''),
  }))
  expect(await run(fault)).toEqual(found('discovery filter-sound listImmediateQrCodes'))
})

test('finds one record of another value among those of the value', async () => {
  const asked = new Set<string>()
  const fault = answers('listImmediateQrCodes', (reply, { path }) => {
    const [value] = /tax_id=\d+/.exec(path) ?? []
    // Only of the first value that is asked for.
    if (value === undefined || !isSuccess(reply) || (asked.size > 0 && !asked.has(value))) return reply
    asked.add(value)
    return withItems(reply, (items) => [...items, { payer: { tax_id: '0' } }])
  })
  expect(await run(fault)).toEqual(found('discovery filter-sound listImmediateQrCodes'))
})

test('finds one also where only the other values are mixed', async () => {
  const asked = new Set<string>()
  const fault = answers('listImmediateQrCodes', (reply, { path }) => {
    const [value] = /tax_id=\d+/.exec(path) ?? []
    if (value === undefined || !isSuccess(reply)) return reply
    asked.add(value)
    return asked.size === 1 ? reply : withItems(reply, (items) => [...items, { payer: { tax_id: '0' } }])
  })
  expect(await run(fault)).toEqual(found('discovery filter-sound listImmediateQrCodes'))
})
