import { serve } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../src/check.ts'

const DAY = 86_400

const credentials = { clientKey: 'partner', clientSecret: 'secret' }

test.each([
  ['puts the clock that it moved back to the system time', 'updated-at-moves', 0],
  ['leaves a clock that it did not move as it found it', 'malformed-json-refused', 60 * DAY],
])('a run %s', async (_, rule, ahead) => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  await sandbox.worker.moveTo(sandbox.clock.now() + 60 * DAY * 1_000)
  const { rules } = await check({ url: sandbox.url, target: 'sandbox', credentials, only: [rule] })
  expect(rules.find((it) => it.rule === rule)?.status).toBe('passed')
  expect(Math.round(sandbox.clock.ahead / 60_000)).toBe(ahead / 60)
})

test('a sandbox whose clock was moved long ago is checked by its clock', async () => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  const body = JSON.stringify({ advance_seconds: 60 * DAY })
  await sandbox.fetch(
    new Request(`${sandbox.url}/_sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  )
  const only = ['invariants', 'example-accepted', 'refusals', 'charge-amounts']
  const timed = ['deliveries-signed', 'deliveries-secrets']
  const { findings, rules } = await check({
    url: sandbox.url,
    target: 'sandbox',
    credentials,
    only: [...only, ...timed],
  })
  expect(findings).toEqual([])
  const asked = [...only, ...timed]
  expect(rules.filter(({ rule, status }) => asked.includes(rule) && status !== 'passed')).toEqual([])
})

test('a delivery after a run that moved the clock verifies by the system time', async () => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  const moving = { url: sandbox.url, target: 'sandbox', credentials, only: ['updated-at-moves'] } as const
  const { rules, leftovers } = await check(moving)
  expect(rules.find(({ rule }) => rule === 'updated-at-moves')?.status).toBe('passed')
  expect(leftovers).toEqual([])
  const { findings, rules: delivered } = await check({ ...moving, only: ['delivery-signed'] })
  expect(findings).toEqual([])
  expect(delivered.find(({ rule }) => rule === 'delivery-signed')?.status).toBe('passed')
})
