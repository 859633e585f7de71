import { expect, test } from 'vitest'
import { answers, problem, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('unsupported-media-type', { operations: ['checkKey', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
  'finds %s that is read as JSON',
  async (type) => {
    const fault = reads('checkKey', (call) =>
      call.headers['content-type'] === type
        ? { ...call, headers: { ...call.headers, 'content-type': 'application/json' } }
        : call,
    )
    expect(await run(fault)).toEqual(found('deviation unsupported-media-type checkKey'))
  },
)

test('finds another refusal than 415', async () => {
  const fault = answers('checkKey', (reply) => (reply.status === 415 ? problem(400) : reply))
  expect(await run(fault)).toEqual(found('deviation unsupported-media-type checkKey'))
})

test('finds a charset that makes it another type', async () => {
  const fault = answers('checkKey', (reply, { headers }) =>
    headers['content-type']?.includes('charset') ? problem(415) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation unsupported-media-type checkKey'))
})

test('finds a body of no type that is read as JSON', async () => {
  const fault = reads('checkKey', (call) => ({
    ...call,
    headers: { 'content-type': 'application/json', ...call.headers },
  }))
  expect(await run(fault)).toEqual(found('deviation unsupported-media-type checkKey'))
})

test('finds a type that is refused for its letters', async () => {
  const fault = answers('checkKey', (reply, call) =>
    /^[A-Z]/.test(call.headers['content-type'] ?? '') ? problem(415) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation unsupported-media-type checkKey'))
})
