import { serve } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../../src/check.ts'

const DAY = 86_400

const credentials = { clientKey: 'partner', clientSecret: 'secret' }

test.each([
  ['puts the clock that it moved back to the system time', 'updated-at-moves', 0],
  ['leaves a clock that it did not move as it found it', 'body-format', 60 * DAY],
])('a run %s', async (_, rule, ahead) => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  await sandbox.worker.moveTo(sandbox.clock.now() + 60 * DAY * 1_000)
  const { rules } = await check({ url: sandbox.url, target: 'sandbox', credentials, only: [rule] })
  expect(rules.find((it) => it.rule === rule)?.status).toBe('passed')
  expect(Math.round(sandbox.clock.ahead / 60_000)).toBe(ahead / 60)
})
