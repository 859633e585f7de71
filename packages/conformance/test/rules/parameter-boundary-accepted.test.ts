import { expect, test } from 'vitest'
import { answers, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('parameter-boundary-accepted', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a parameter that is refused at its edge', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('limit=100') ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation parameter-boundary-accepted listImmediateQrCodes'))
})

test('makes up no cursor', async () => {
  const fault = answers('listImmediateQrCodes', (reply, { path }) =>
    path.includes('cursor=') ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(HELD)
})
