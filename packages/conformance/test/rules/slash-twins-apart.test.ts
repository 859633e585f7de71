import { expect, test } from 'vitest'
import type { Fault } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('slash-twins-apart', { operations: ['listUsers', 'listWebhooks'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a path that is served with a slash more', async () => {
  const fault: Fault = async (call, next) =>
    next({ ...call, path: call.path.replace(/partner\/user\/$/, 'partner/user') })
  expect(await run(fault)).toEqual(found('deviation slash-twins-apart listUsers'))
})

test('finds a path that is served with a slash less', async () => {
  const fault: Fault = async (call, next) =>
    next({ ...call, path: call.method === 'GET' ? call.path.replace(/partner\/webhook$/, '$&/') : call.path })
  expect(await run(fault)).toEqual(found('deviation slash-twins-apart listWebhooks'))
})

test('looks at no path that it was not asked about', async () => {
  const fault: Fault = async (call, next) =>
    next({ ...call, path: call.path.replace(/immediate\/$/, 'immediate') })
  expect(await run(fault)).toEqual(HELD)
})

const runFaulty = runOfFaulty('slash-twins-apart')

test.each([
  ['webhook-with-slash-shown', 'deviation slash-twins-apart getWebhook'],
  ['static-code-without-slash', 'deviation slash-twins-apart createStaticQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
