import { expect, test } from 'vitest'
import { check } from '../../src/check.ts'
import { startTolerated } from '../faulty/start.ts'
import { alters, ok } from './broken.ts'
import { NOT_ASSESSED, PASSED, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('expired-token-refused')
const live = runOf('expired-token-refused', { target: 'live' })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds a token that never ends', async () => {
  const fault = alters(undefined, (reply) => (reply.status === 401 ? ok([]) : reply))
  expect((await run(fault)).found).toContain('deviation expired-token-refused listDueDateQrCodes')
})

const runFaulty = runOfFaulty('expired-token-refused')

test.each([
  ['expired-token-pays', 'deviation expired-token-refused createTransfer'],
  ['expired-token-of-a-customer', 'deviation expired-token-refused checkKey'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test('is not judged of a live service', async () => {
  expect(await live()).toEqual(NOT_ASSESSED)
})

test.each([
  ['tokens-end-after-half-their-time', 'deviation expired-token-refused signIn'],
  ['expired-token-deletes', 'deviation expired-token-refused deleteWebhook'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test('holds where a sign-in ends the token that was given before', async () => {
  const { url, close } = await startTolerated('one-token-at-a-time')
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const { findings } = await check({ url, target: 'sandbox', credentials, only: ['expired-token-refused'] })
  await close()
  expect(findings).toEqual([])
})
