import { expect, test } from 'vitest'
import { answers, withItems } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('listed-once', { operations: ['listUsers'], beside: ['example-accepted'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list that has a record twice', async () => {
  const fault = answers('listUsers', (reply) => withItems(reply, (items) => [...items, ...items]))
  expect(await run(fault)).toEqual(found('failure listed-once listUsers'))
})

const runFaulty = runOfFaulty('listed-once')

test.each([['customers-shown-twice', 'failure listed-once getUser']])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
