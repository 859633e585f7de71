import { expect, test } from 'vitest'
import { answers, withBody, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('response-schema', { beside: ['example-accepted'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a member that is missing', async () => {
  const fault = answers('checkKey', (reply) => withBody(reply, ({ owner_name: _, ...body }) => body))
  expect(await run(fault)).toEqual(found('failure response-schema checkKey'))
})

test('finds a member of another type', async () => {
  const fault = answers('checkKey', (reply) => withBody(reply, (body) => ({ ...body, owner_name: 7 })))
  expect(await run(fault)).toEqual(found('failure response-schema checkKey'))
})

test('takes a value outside our answer for a deviation', async () => {
  const fault = answers('checkKey', (reply) =>
    withBody(reply, (body) => ({ ...body, owner_type: 'SOMEONE' })),
  )
  expect(await run(fault)).toEqual(found('deviation response-schema checkKey'))
})

test('leaves a header that is missing to another rule', async () => {
  expect(await run(answers('checkKey', (reply) => withHeader(reply, 'x-request-id')))).toEqual(HELD)
})

const runFaulty = runOfFaulty('response-schema')

test.each([['customers-see-the-document', 'deviation response-schema checkKey']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
