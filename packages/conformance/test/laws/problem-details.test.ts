import { expect, test } from 'vitest'
import { answers, isSuccess, withBody, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('problem-details', { beside: ['no-auth-refused'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an error that is no problem details', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withHeader(reply, 'content-type', 'application/json'),
  )
  expect(await run(fault)).toEqual(found('discovery problem-details checkKey'))
})

test('finds a status in the body that is not the status of the answer', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, status: 400 })),
  )
  expect(await run(fault)).toEqual(found('discovery problem-details checkKey'))
})

test('finds problem details without the code that the contract asks for', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, ({ code: _, ...body }) => body),
  )
  expect(await run(fault)).toEqual(found('discovery problem-details checkKey'))
})
