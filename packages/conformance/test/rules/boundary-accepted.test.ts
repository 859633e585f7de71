import { expect, test } from 'vitest'
import { answers, bodyOf, type Fault, problem, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('boundary-accepted', { operations: ['createStaticQrCode', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a limit that is narrower than the one of the contract', async () => {
  const fault = answers('createStaticQrCode', (reply, call) =>
    (bodyOf(call).message ?? '').length > 60 ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation boundary-accepted createStaticQrCode'))
})

test('finds a member that is asked for although it may be left out', async () => {
  const fault = answers('createStaticQrCode', (reply, call) =>
    bodyOf(call).message === undefined ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('failure boundary-accepted createStaticQrCode'))
})

test.each(['required', 'type', 'max_length'])(
  'finds what is refused by a rule of form, as %s',
  async (code) => {
    const fault = ruled({ pointer: '/message', code })
    expect(await run(fault)).toEqual(found('deviation boundary-accepted createStaticQrCode'))
  },
)

test.each([
  { pointer: '/message', code: 'not_allowed' },
  { pointer: '/amount', code: 'required' },
])('says nothing of what is refused by another rule: %j', async (error) => {
  expect(await run(ruled(error))).toEqual(HELD)
})

/** Refuses long messages with 422. */
function ruled(error: { pointer: string; code: string }): Fault {
  return answers('createStaticQrCode', (reply, call) =>
    (bodyOf(call).message ?? '').length > 60
      ? withBody(problem(422), (body) => ({ ...body, errors: [error] }))
      : reply,
  )
}

const runFaulty = runOfFaulty('boundary-accepted')

test.each([['query-in-url-refused', 'deviation boundary-accepted createWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
