import { expect, test } from 'vitest'
import { answers, isSuccess, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('break-refused-with-pointer', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a refusal that does not name the member', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, ({ errors: _, ...body }) => body),
  )
  expect(await run(fault)).toEqual(found('discovery break-refused-with-pointer checkKey'))
})

test('finds a refusal that names another member', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply)
      ? reply
      : withBody(reply, (body) => ({ ...body, errors: [{ pointer: '/other', code: 'type' }] })),
  )
  expect(await run(fault)).toEqual(found('discovery break-refused-with-pointer checkKey'))
})

test('finds a refusal that names the whole body', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply)
      ? reply
      : withBody(reply, (body) => ({ ...body, errors: [{ pointer: '', code: 'type' }] })),
  )
  expect(await run(fault)).toEqual(found('discovery break-refused-with-pointer checkKey'))
})
