import { expect, test } from 'vitest'
import { answers } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('response-received', { beside: ['example-accepted'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a connection that ends without an answer', async () => {
  const fault = answers('checkKey', () => ({
    status: 0,
    headers: {},
    text: 'UND_ERR_SOCKET: other side closed',
    ms: 0,
  }))
  expect(await run(fault)).toEqual(found('failure response-received checkKey'))
})

const runFaulty = runOfFaulty('response-received')

test.each([['plain-body-called-gzip', 'failure response-received listUsers']])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
