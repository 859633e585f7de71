import { expect, test } from 'vitest'
import { answers, shows, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('undeclared-fields', { beside: ['example-accepted'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a member that the contract does not mention', async () => {
  const fault = answers('checkKey', (reply) => withBody(reply, (body) => ({ ...body, score: 7 })))
  expect(await run(fault)).toEqual(found('deviation undeclared-fields checkKey'))
})

test('leaves a member that is missing to another rule', async () => {
  expect(await run(shows('checkKey', ({ owner_name: _, ...body }) => body))).toEqual(HELD)
})
