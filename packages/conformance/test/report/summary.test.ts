import { expect, test } from 'vitest'
import { countsOf, summaryOf } from '../../src/report/summary.ts'
import { deviation, finding, fullResult, result, rule } from './results.ts'

const notAssessed = rule({ status: 'not-assessed', reason: 'not selected' })

test.each([
  [{}, 'http://127.0.0.1:4020 passes: 0 failures, 0 deviations; 1 of 1 rule assessed.'],
  [
    { findings: [finding({ severity: 'critical' }), deviation()] },
    'http://127.0.0.1:4020 fails: 1 failure (1 critical finding), 1 deviation; 1 of 1 rule assessed.',
  ],
  [{ rules: [notAssessed] }, 'http://127.0.0.1:4020: nothing could be assessed.'],
  [
    { target: 'traffic' },
    'Traffic with http://127.0.0.1:4020 passes: 0 failures, 0 deviations; 1 of 1 rule assessed.',
  ],
  [
    { interrupted: 'Ctrl-C', rules: [rule(), notAssessed] },
    'http://127.0.0.1:4020: interrupted (Ctrl-C). So far 0 failures, 0 deviations; 1 of 2 rules assessed.',
  ],
] as const)('it summarizes %j', (other, sentence) => {
  expect(summaryOf(result(other), {})).toBe(sentence)
})

test('it counts what was not judged', () => {
  expect(countsOf(fullResult())).toEqual({
    ...{ critical: 0, failures: 1, deviations: 1, baselined: 1 },
    ...{ passed: 1, failed: 2, notAssessed: 2, inconclusive: 7 },
  })
})
