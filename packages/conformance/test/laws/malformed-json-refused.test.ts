import { expect, test } from 'vitest'
import { answers, problem, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('malformed-json-refused', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds what is no JSON and is answered otherwise than with 400', async () => {
  const fault = answers('checkKey', (reply) => (reply.status === 400 ? problem(422) : reply))
  expect(await run(fault)).toEqual(found('discovery malformed-json-refused checkKey'))
})

test('finds what is no JSON and is accepted', async () => {
  const fault = reads('checkKey', (call) => ({
    ...call,
    body: call.body?.replace(/,\}$/, '}'),
  }))
  expect(await run(fault)).toEqual(found('discovery malformed-json-refused checkKey'))
})

test('finds text behind the JSON that is passed over', async () => {
  const fault = reads('checkKey', (call) => ({ ...call, body: call.body?.replace(/ x$/, '') }))
  expect(await run(fault)).toEqual(found('discovery malformed-json-refused checkKey'))
})
