import { expect, test } from 'vitest'
import { answers, bodyOf, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('boundary-accepted', { operations: ['createStaticQrCode', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a limit that is narrower than the one of the contract', async () => {
  const fault = answers('createStaticQrCode', (reply, call) =>
    (bodyOf(call).message ?? '').length > 60 ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('discovery boundary-accepted createStaticQrCode'))
})

test('finds a member that is asked for although it may be left out', async () => {
  const fault = answers('createStaticQrCode', (reply, call) =>
    bodyOf(call).message === undefined ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('failure boundary-accepted createStaticQrCode'))
})
