import { createApp } from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import { check } from '../src/engine/check.ts'
import type { CheckOptions } from '../src/engine/options.ts'
import { answers, broken, type Fault } from './rules/broken.ts'
import { inProcess } from './wire.ts'

/** Why one law was not assessed. */
async function reasonOf(law: string, options: Partial<CheckOptions> & { fault?: Fault }) {
  const { fault, ...rest } = options
  const sandbox = await createApp({ allowLoopback: true, limitsRates: false })
  const right = inProcess(sandbox.fetch)
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const wire = fault ? broken(right, fault) : right
  const { laws } = await check({
    url: 'http://in.process',
    target: 'sandbox',
    credentials,
    wire,
    only: [law],
    ...rest,
  })
  await sandbox.close()
  return laws.find((it) => it.law === law)?.reason
}

test('says of what a live service is not sent that it was not sent, and not that it was refused', async () => {
  expect(await reasonOf('paid-once', { target: 'live' })).toBe(
    'every case was masked: not sent: a live service is not paid without --allow-payments',
  )
  expect(await reasonOf('break-refused', { target: 'live', operations: ['createStaticQrCode'] })).toBe(
    'not sent: what it makes or changes on a live service could not be undone',
  )
})

test('says that a twin was refused where it was', async () => {
  const fault = answers('checkKey', (reply) => ({ ...reply, status: 404 }))
  expect(await reasonOf('break-refused', { operations: ['checkKey'], fault })).toBe(
    'every case was masked: its accepted twin was refused too',
  )
})

test('says which law tells of a service that fails at each case', async () => {
  const fault = answers('getWebhook', (reply) => (reply.status === 200 ? reply : { ...reply, status: 500 }))
  expect(await reasonOf('odd-ids-refused', { operations: ['getWebhook'], fault })).toBe(
    'its cases were answered 500, which no-server-error tells',
  )
})
