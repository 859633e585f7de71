import { expect, test } from 'vitest'
import { answers, type Fault, isSuccess, reads, withItems } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('filter-sound', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a filter that is not looked at', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace(/tax_id=\d+/, ''),
  }))
  expect(await run(fault)).toEqual(found('deviation filter-sound listImmediateQrCodes'))
})

const runFaulty = runOfFaulty('filter-sound')

test.each([
  ['filter-forgotten-on-page-two', 'deviation filter-sound listImmediateQrCodes'],
  ['second-filter-forgotten', 'deviation filter-sound listDueDateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test('finds one record of another value among those of the value', async () => {
  const fault = mixing((asked, value) => asked.indexOf(value) === 0)
  expect(await run(fault)).toEqual(found('deviation filter-sound listImmediateQrCodes'))
})

test('finds it also where only other values are mixed', async () => {
  const fault = mixing((asked, value) => asked.indexOf(value) > 0)
  expect(await run(fault)).toEqual(found('deviation filter-sound listImmediateQrCodes'))
})

test('takes records of the other value for right', async () => {
  const fault = mixing(
    (asked, value) => asked.indexOf(value) > 0,
    (value) => value,
  )
  expect(await run(fault)).toEqual(HELD)
})

/** Lists one record more for some of the values, which are known in the order in which they were asked for. */
function mixing(
  isMeant: (asked: readonly string[], value: string) => boolean,
  shown: (value: string) => string = () => '0',
): Fault {
  const asked: string[] = []
  return answers('listImmediateQrCodes', (reply, { path }) => {
    const [, value] = /tax_id=(\d+)/.exec(path) ?? []
    if (value === undefined || !isSuccess(reply)) return reply
    asked.push(value)
    return isMeant(asked, value)
      ? withItems(reply, (items) => [...items, { payer: { tax_id: shown(value) } }])
      : reply
  })
}

test.each([
  ['cursor-beside-a-filter-refused', 'deviation filter-sound listDueDateQrCodes'],
  ['tax-id-filter-forgotten-on-page-two', 'deviation filter-sound listDueDateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
