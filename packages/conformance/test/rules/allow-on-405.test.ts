import { expect, test } from 'vitest'
import { answers, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('allow-on-405', { beside: ['method-not-allowed'], operations: ['getWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a 405 that does not say what the path takes', async () => {
  const fault = answers(undefined, (reply) => (reply.status === 405 ? withHeader(reply, 'allow') : reply))
  expect(await run(fault)).toEqual(found('deviation allow-on-405 getWebhook'))
})

test('finds a 405 that leaves a method of the path out', async () => {
  const fault = answers(undefined, (reply) =>
    reply.status === 405 ? withHeader(reply, 'allow', 'GET, PUT') : reply,
  )
  expect(await run(fault)).toEqual(found('deviation allow-on-405 getWebhook'))
})

const runFaulty = runOfFaulty('allow-on-405')

test.each([['secret-405-without-allow', 'deviation allow-on-405 rotateWebhookSecret']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
