import { expect, test } from 'vitest'
import { answers, type Fault } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const asked = { beside: ['example-accepted'], operations: ['checkKey'] }
const run = runOf('time-budget', { ...asked, responseWithinMs: 1_000 })
const unasked = runOf('time-budget', asked)

/** As if an answer had taken so long, so that no test waits or depends on the machine. */
const taking = (ms: number): Fault => answers('checkKey', (reply) => ({ ...reply, ms }))

test('holds on the right service', async () => {
  expect(await run(taking(1_000))).toEqual(HELD)
})

test('finds an answer that came too late', async () => {
  expect(await run(taking(1_001))).toEqual(found('deviation time-budget checkKey'))
})

test('is not assessed where nobody said how long an answer may take', async () => {
  expect(await unasked(taking(1_001))).toEqual({ status: 'not-assessed', found: [] })
})
