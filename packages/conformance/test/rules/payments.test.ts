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

  it('passes no rule about transfers if every transfer is refused', async () => {
    const { rules, findings } = await resultOf(refuses('createTransfer'))
    const passed = rules
      .filter((it) => it.status === 'passed' && RULES.includes(it.rule))
      .map(({ rule }) => rule)
    expect(findings).toEqual([])
    // A refused creation does not use up its tx_id, and a check works without a payment.
    expect(passed.toSorted()).toEqual(['charge-amounts', 'copies', 'refusal-uses-nothing'])
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

it.concurrent.each([
  ['one-time-values', 'initiation-used-twice', 'critical'],
  ['copies', 'code-of-the-charge-before', 'error'],
  ['money-moves', 'balance-moves-twice', 'critical'],
])('reports with %s the mutant %s as %s', async (rule, mutant, severity) => {
  const { findings } = await resultOfMutant([rule], mutant)
  expect(findings.map((it) => `${it.rule} ${it.severity}`)).toContain(`${rule} ${severity}`)
})
