import { expect, test } from 'vitest'
import { answers, isSuccess, problem, shows, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('no-stack-in-errors', { beside: ['no-auth-refused'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  'Error: no\n    at open (/srv/keys:12)',
  'Error: no\n    at open (keys(12))',
  'Traceback (most recent call last)',
  'failed in keys.go:12',
  'SQLSTATE 23505',
  'of node_modules/keys',
])('finds %j in the detail of an error', async (detail) => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, detail })),
  )
  expect(await run(fault)).toEqual(found('deviation no-stack-in-errors checkKey'))
})

test('finds one with 400 too', async () => {
  const fault = answers('checkKey', () => ({ ...problem(400), text: '{"detail":"SQLSTATE 23505"}' }))
  expect(await run(fault)).toEqual(found('deviation no-stack-in-errors checkKey'))
})

test('says nothing of a success', async () => {
  const fault = shows('checkKey', (body) => ({ ...body, owner_name: 'SQLSTATE' }))
  expect(await run(fault)).toEqual(HELD)
})

test('finds a statement', async () => {
  const detail = 'near "LIMIT": SELECT * FROM keys LIMIT'
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, detail })),
  )
  expect(await run(fault)).toEqual(found('deviation no-stack-in-errors checkKey'))
})
