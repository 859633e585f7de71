import { expect, test } from 'vitest'
import { answers, ok } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('expired-token-refused')
const live = runOf('expired-token-refused', { target: 'live' })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a token that never ends', async () => {
  const fault = answers(undefined, (reply) => (reply.status === 401 ? ok([]) : reply))
  expect(await run(fault)).toEqual(found('discovery expired-token-refused listDueDateQrCodes'))
})

test('is not judged of a live service', async () => {
  expect(await live()).toEqual(UNJUDGED)
})
