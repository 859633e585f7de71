import { sample } from '@partner-payments/campaign'
import { describe, expect, it } from 'vitest'
import { alters, problem, refuses } from './broken.ts'
import { resultsOf } from './in-process.ts'
import { resultOf as resultOfMutant } from './over-http.ts'

const RULES = [
  'one-time-values',
  'refusal-uses-nothing',
  'used-records',
  'copies',
  'charge-amounts',
  'money-moves',
]

describe('on a sandbox', () => {
  const resultOf = resultsOf(RULES[0] ?? '', { beside: RULES.slice(1) })

  it('passes on the correct service', async () => {
    const { rules, findings } = await resultOf()
    expect(findings).toEqual([])
    expect(rules.filter(({ rule }) => RULES.includes(rule)).map(({ status }) => status)).toEqual(
      RULES.map(() => 'passed'),
    )
  })

  it.each([422, 429, 500])('passes no rule about transfers if every transfer gets %i', async (status) => {
    const { rules, findings } = await resultOf(refuses('createTransfer', status))
    const passed = rules
      .filter((it) => it.status === 'passed' && RULES.includes(it.rule))
      .map(({ rule }) => rule)
    expect(findings).toEqual([])
    // A refused creation does not use up its tx_id, and a check works without a payment.
    expect(passed.toSorted()).toEqual(['charge-amounts', 'copies', 'refusal-uses-nothing'])
  })

  it('accepts another status of a second use, as one deviation', async () => {
    const fault = alters('createTransfer', (response) =>
      response.status === 409 ? problem(422, 'already_used') : response,
    )
    const { findings } = await resultOf(fault)
    expect(new Set(findings.map(({ question }) => question))).toEqual(new Set(['errors']))
  })

  it('reports a second use that is refused for another declared reason, without calling it critical', async () => {
    const fault = alters('createTransfer', (response) =>
      response.status === 409 ? problem(422, 'initiation_invalid') : response,
    )
    const { findings } = await resultOf(fault)
    expect(findings.map(({ rule }) => rule)).toContain('one-time-values')
    expect(findings.map(({ severity }) => severity)).not.toContain('critical')
  })
})

it.concurrent.each(
  sample(
    [
      ['one-time-values', 'initiation-used-twice', 'critical'],
      ['one-time-values', 'initiation-used-at-once', 'critical'],
      ['one-time-values', 'due-date-charge-paid-twice', 'critical'],
      ['one-time-values', 'static-code-paid-once', 'warning'],
      ['refusal-uses-nothing', 'refused-transfer-uses-its-look-up', 'warning'],
      ['refusal-uses-nothing', 'refused-code-takes-its-tx-id', 'warning'],
      ['used-records', 'paid-code-cancelled', 'warning'],
      ['used-records', 'paid-code-listed-as-open', 'warning'],
      ['used-records', 'paid-code-not-listed', 'warning'],
      ['copies', 'code-of-the-charge-before', 'error'],
      ['copies', 'tx-id-of-transfer-lost', 'warning'],
      ['copies', 'dynamic-called-static', 'warning'],
      ['charge-amounts', 'discount-ends-a-day-early', 'warning'],
      ['charge-amounts', 'fine-on-the-due-date', 'warning'],
      ['charge-amounts', 'interest-of-a-month-by-the-day', 'warning'],
      ['charge-amounts', 'check-expires-later', 'warning'],
      ['charge-amounts', 'expired-charge-listed-as-removed', 'warning'],
      ['money-moves', 'account-of-the-partner-pays', 'warning'],
      ['money-moves', 'balance-moves-twice', 'critical'],
      ['money-moves', 'rejected-payment-closes-the-charge', 'warning'],
    ],
    ([rule]) => rule,
  ),
)('reports with %s the mutant %s as %s', async (rule, mutant, severity) => {
  const { findings } = await resultOfMutant([rule], mutant)
  expect(findings.map((it) => `${it.rule} ${it.severity}`)).toContain(`${rule} ${severity}`)
})
