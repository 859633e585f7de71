import { createApp } from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { alters, broken, type Fault } from '../rules/broken.ts'

/** Why one rule was not assessed. */
async function reasonOf(rule: string, options: Partial<CheckOptions> & { fault?: Fault }) {
  const { fault, ...rest } = options
  const sandbox = await createApp({ allowLoopback: true, limitsRates: false })
  const right = inProcess(sandbox.fetch)
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const transport = fault ? broken(right, fault) : right
  const { rules } = await checkInProcess(transport, { credentials, only: [rule], ...rest })
  await sandbox.close()
  return rules.find((it) => it.rule === rule)?.reason
}

test('lists the requests that are not sent to a live service', async () => {
  expect(await reasonOf('one-time-values', { target: 'live' })).toContain('not sent')
  expect(await reasonOf('break-refused', { target: 'live', operations: ['createStaticQrCode'] })).toBe(
    'not sent: its effect on a live service could not be undone',
  )
})

test('reports that a valid request was refused', async () => {
  const fault = alters('checkKey', (response) => ({ ...response, status: 404 }))
  expect(await reasonOf('break-refused', { operations: ['checkKey'], fault })).toContain('was refused too')
})

test('names the rule that reports a failing service', async () => {
  const fault = alters('getWebhook', (response) =>
    response.status === 200 ? response : { ...response, status: 500 },
  )
  expect(await reasonOf('invalid-ids-refused', { operations: ['getWebhook'], fault })).toBe(
    'its requests failed with 500, which no-server-error reports',
  )
})
