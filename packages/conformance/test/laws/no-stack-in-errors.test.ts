import { expect, test } from 'vitest'
import { answers, isSuccess, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('no-stack-in-errors', { beside: ['no-auth-refused'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a stack in the detail of an error', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply)
      ? reply
      : withBody(reply, (body) => ({ ...body, detail: 'Error: no\n    at open (/srv/keys.js:12:3)' })),
  )
  expect(await run(fault)).toEqual(found('failure no-stack-in-errors checkKey'))
})

test('finds the word of a database', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, detail: 'SQLSTATE 23505' })),
  )
  expect(await run(fault)).toEqual(found('failure no-stack-in-errors checkKey'))
})

test('finds a statement', async () => {
  const detail = 'near "LIMIT": SELECT * FROM keys LIMIT'
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, detail })),
  )
  expect(await run(fault)).toEqual(found('failure no-stack-in-errors checkKey'))
})
