import { expect, test } from 'vitest'
import { percent, unseenOf } from '../../src/report/coverage.ts'
import { exitCodeOf } from '../../src/report/exit-codes.ts'
import { countsOf, summaryOf } from '../../src/report/summary.ts'
import { deviation, finding, fullResult, known, result, rule } from './results.ts'

test.each([
  ['nothing', {}, [0, 0, 0]],
  ['a failure', { findings: [finding()] }, [0, 1, 1]],
  ['a deviation', { findings: [deviation()] }, [0, 0, 1]],
  ['a critical deviation', { findings: [deviation({ severity: 'critical' })] }, [1, 1, 1]],
  ['a known failure', { baselined: [known()] }, [0, 0, 0]],
  ['an interruption', { interrupted: 'Ctrl-C', findings: [finding()] }, [130, 130, 130]],
  ['SIGTERM', { interrupted: 'SIGTERM' }, [143, 143, 143]],
  ['an end for another reason', { interrupted: 'signing in failed' }, [2, 2, 2]],
  ['such an end after a failure', { interrupted: 'signing in failed', findings: [finding()] }, [2, 1, 1]],
] as const)('it exits after %s by what fails the run', (_, other, codes) => {
  const levels = ['critical', 'failure', 'deviation'] as const
  expect(levels.map((failOn) => exitCodeOf(result(other), { failOn }))).toEqual(codes)
})

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

test('it rounds coverage down, and names what was not observed', () => {
  expect(percent({ seen: 999, all: 1000 })).toBe(99)
  expect(percent({ seen: 0, all: 0 })).toBeUndefined()
  expect([...unseenOf(fullResult())]).toEqual([
    ['Operations without a success', ['createTransfer']],
    [
      'Statuses and media types never returned',
      ['checkKey 429 application/problem+json', 'createTransfer 201 application/json'],
    ],
    ['Request keywords of which no invalid value was refused', ['/components/schemas/Ispb/pattern']],
  ])
})
