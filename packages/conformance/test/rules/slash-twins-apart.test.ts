import { expect, test } from 'vitest'
import type { Fault } from './broken.ts'
import { found, PASSED, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('trailing-slash', { operations: ['listUsers', 'listWebhooks'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds a path that is served with a slash more', async () => {
  const fault: Fault = async (call, next) =>
    next({ ...call, path: call.path.replace(/partner\/user\/$/, 'partner/user') })
  expect(await run(fault)).toEqual(found('deviation trailing-slash listUsers'))
})

test('finds a path that is served with a slash less', async () => {
  const fault: Fault = async (call, next) =>
    next({ ...call, path: call.method === 'GET' ? call.path.replace(/partner\/webhook$/, '$&/') : call.path })
  expect(await run(fault)).toEqual(found('deviation trailing-slash listWebhooks'))
})

test('looks at no path that it was not asked about', async () => {
  const fault: Fault = async (call, next) =>
    next({ ...call, path: call.path.replace(/immediate\/$/, 'immediate') })
  expect(await run(fault)).toEqual(PASSED)
})

const runFaulty = runOfFaulty('trailing-slash')

test.each([
  ['webhook-with-slash-shown', 'deviation trailing-slash getWebhook'],
  ['static-code-without-slash', 'deviation trailing-slash createStaticQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
