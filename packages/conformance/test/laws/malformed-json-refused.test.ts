import { expect, test } from 'vitest'
import { answers, problem, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('malformed-json-refused', { operations: ['checkKey', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds what is no JSON and is answered otherwise than with 400', async () => {
  const fault = answers('checkKey', (reply) => (reply.status === 400 ? problem(422) : reply))
  expect(await run(fault)).toEqual(found('discovery malformed-json-refused checkKey'))
})

test.each(['{', '{"a":}', 'nonsense', '{"a":1}}', "{'a':1}", '[1,]', '\u0000'])(
  'finds that %j is accepted',
  async (wrong) => {
    const fault = reads('checkKey', (call) => ({
      ...call,
      body: call.body === wrong ? '{"dict_key":"beltrana@example.com"}' : call.body,
    }))
    expect(await run(fault)).toEqual(found('discovery malformed-json-refused checkKey'))
  },
)
