import { expect, test } from 'vitest'
import { bodyOf, reads } from './broken.ts'
import { withStatuses } from './contracts.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('body-limit', { operations: ['checkKey', 'getUser'] })
const unlimited = runOf('body-limit', {
  contract: withStatuses('checkKey', ({ 413: _, ...responses }: { 413?: unknown }) => responses),
  operations: ['checkKey'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a body that is read whatever its size', async () => {
  const fault = reads('checkKey', (call) => {
    const { padding: _, ...body } = bodyOf(call)
    return { ...call, body: JSON.stringify(body) }
  })
  expect(await run(fault)).toEqual(found('deviation body-limit checkKey'))
})

test('is not judged where the contract says nothing of a limit', async () => {
  expect(await unlimited()).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('body-limit')

test.each([['body-of-40-kb-refused', 'deviation body-limit createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
