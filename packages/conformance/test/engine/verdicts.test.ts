import { type App, createApp } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import type { RuleResult } from '../../src/engine/result.ts'
import { createVerdicts } from '../../src/engine/verdicts.ts'
import { loadContract } from '../../src/model/contract-source.ts'
import { rules } from '../../src/rules.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { broken, shows } from '../rules/broken.ts'

const own = await loadContract(undefined)
let sandbox: App
beforeAll(async () => {
  sandbox = await createApp({ allowLoopback: true, limitsRates: false })
})
afterAll(() => sandbox.close())

async function verdictOf(question: string, options: Partial<CheckOptions>) {
  const { verdicts } = await checkInProcess(inProcess(sandbox.fetch), {
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    rate: 10_000,
    ...options,
  })
  const { verdict, by, seen } = verdicts.find((it) => it.question === question) ?? {}
  return { verdict, by, seen }
}

const form = { only: ['credentials-required', 'example-accepted'], operations: ['listUsers'] }

test('contradicts an assumption by a deviation, with and without rules about responses', async () => {
  const wrong = shows('listUsers', (body) => ({ ...body, created_at: '2026-12-01 10:00:00' }))
  const transport = broken(inProcess(sandbox.fetch), wrong)
  expect(await verdictOf('timestamp-formats', form)).toMatchObject({ verdict: 'not-exercised' })
  expect(await verdictOf('timestamp-formats', { ...form, transport })).toMatchObject({
    verdict: 'contradicted',
    seen: expect.stringContaining('/created_at'),
  })
})

test('contradicts no assumption by a field that the contract does not declare', async () => {
  const more = shows('listUsers', (body) => ({ ...body, partner_name: 'Loja Exemplo' }))
  const { findings, verdicts } = await checkInProcess(broken(inProcess(sandbox.fetch), more), {
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    rate: 10_000,
    only: ['undeclared-fields', 'response-schema'],
    operations: ['listUsers'],
  })
  expect(findings.map(({ rule, kind }) => `${kind} ${rule}`)).toEqual(['deviation undeclared-fields'])
  expect(verdicts.filter(({ verdict }) => verdict === 'contradicted')).toEqual([])
})

test('names the rules with cases about the question', async () => {
  const only = ['break-refused', 'boundary-accepted']
  const { by } = await verdictOf('webhook-types', { only, operations: ['createWebhook'] })
  expect(by).toEqual(['boundary-accepted', 'break-refused'])
})

test('settles nothing by inconclusive cases and the format of a secret', async () => {
  const only = ['one-time-values', 'refusals', 'example-accepted']
  const operations = ['createTransfer', 'createWebhook']
  const live = { target: 'live', only, operations } as const
  expect(await verdictOf('transfer-repeat', live)).toMatchObject({ verdict: 'not-exercised', by: [] })
  expect(await verdictOf('signature', live)).toEqual({
    verdict: 'not-exercised',
    by: ['response-schema'],
    seen: undefined,
  })
})

/** A rule about key lookups, as part of a result. */
const rule = (other: Partial<RuleResult> = {}): RuleResult => ({
  rule: 'one-time-values',
  title: 'A payment is made once.',
  phase: 'records',
  question: 'transfer-repeat',
  status: 'passed',
  reason: undefined,
  cases: 3,
  inconclusive: 1,
  ms: 0,
  ...other,
})

test('confirms nothing by a rule that threw an error', async () => {
  const verdicts = createVerdicts(own.contract, rules, own.register)
  const failed = rule({ status: 'not-assessed', reason: 'the rule failed with an internal error: x' })
  const of = (rules: readonly RuleResult[]) =>
    verdicts.all(rules).find(({ question }) => question === 'transfer-repeat')
  expect(of([failed])).toMatchObject({ verdict: 'not-exercised', exercised: 0, by: [] })
  expect(of([rule()])).toMatchObject({ verdict: 'confirmed', exercised: 2, by: ['one-time-values'] })
})

test('returns the same verdicts each time', async () => {
  const verdicts = createVerdicts(own.contract, rules, own.register)
  verdicts.confirmed('transfer-repeat', 'break-refused')
  expect(verdicts.all([rule()])).toEqual(verdicts.all([rule()]))
})
