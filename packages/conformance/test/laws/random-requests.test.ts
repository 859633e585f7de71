import { expect, test } from 'vitest'
import { accepts, answers, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('random-requests', { operations: ['checkKey'], timeMs: 200 })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a request that breaks its schema and is accepted', async () => {
  const fault = accepts('checkKey')
  expect(await run(fault)).toEqual(found('discovery random-requests checkKey'))
})

test('finds a valid request that is taken for a broken one', async () => {
  const fault = answers('checkKey', () => problem(400))
  expect(await run(fault)).toEqual(found('discovery random-requests checkKey'))
})

test.each(['valid', 'broken'])('finds a %s request that the service fails at', async (kind) => {
  const fault = answers('checkKey', (reply) =>
    (reply.status === 400) === (kind === 'broken') ? problem(500) : reply,
  )
  expect(await run(fault)).toEqual(found('discovery random-requests checkKey'))
})
