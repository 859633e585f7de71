import { expect, test } from 'vitest'
import { answers, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('json-is-json', { beside: ['example-accepted'], operations: ['getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds JSON that was cut off', async () => {
  const fault = answers('getUser', (reply) => ({ ...reply, text: reply.text.slice(0, -1) }))
  expect(await run(fault)).toEqual(found('failure json-is-json getUser'))
})

test('finds a byte order mark', async () => {
  const fault = answers('getUser', (reply) => ({ ...reply, text: `\uFEFF${reply.text}` }))
  expect(await run(fault)).toEqual(found('failure json-is-json getUser'))
})

test('finds another charset', async () => {
  const fault = answers('getUser', (reply) =>
    withHeader(reply, 'content-type', 'application/json; charset=iso-8859-1'),
  )
  expect(await run(fault)).toEqual(found('failure json-is-json getUser'))
})
