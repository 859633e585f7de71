import { expect, test } from 'vitest'
import { answers, shows, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('valid-json', { beside: ['example-accepted'], operations: ['getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds JSON that was cut off', async () => {
  const fault = answers('getUser', (reply) => ({ ...reply, text: reply.text.slice(0, -1) }))
  expect(await run(fault)).toEqual(found('failure valid-json getUser'))
})

test('finds bytes that are no UTF-8', async () => {
  const fault = shows('getUser', (body) => ({ ...body, name: 'S\uFFFDo' }))
  expect(await run(fault)).toEqual(found('failure valid-json getUser'))
})

test('says nothing of an empty body, nor of one of another type', async () => {
  const plain = (text: string) =>
    answers('getUser', (reply) => ({ ...withHeader(reply, 'content-type', 'text/plain'), text }))
  expect(await run(plain('hello'))).toEqual(HELD)
  expect(await run(answers('getUser', (reply) => ({ ...reply, text: '' })))).toEqual(HELD)
})

test('finds a byte order mark', async () => {
  const fault = answers('getUser', (reply) => ({ ...reply, text: `\uFEFF${reply.text}` }))
  expect(await run(fault)).toEqual(found('failure valid-json getUser'))
})

test('finds another charset', async () => {
  const fault = answers('getUser', (reply) =>
    withHeader(reply, 'content-type', 'application/json; charset=iso-8859-1'),
  )
  expect(await run(fault)).toEqual(found('failure valid-json getUser'))
})

const runFaulty = runOfFaulty('valid-json')

test.each([['length-too-short', 'failure valid-json getWebhook']])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
