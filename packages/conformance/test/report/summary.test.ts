import { describe, expect, test } from 'vitest'
import { percent, unseenOf } from '../../src/report/coverage.ts'
import { countsOf, exitCodeOf, summaryOf } from '../../src/report/summary.ts'
import { deviation, finding, fullResult, known, result, rule } from './results.ts'

describe('the exit code', () => {
  test.each([
    ['nothing', result(), 0],
    ['a failure', result({ findings: [finding()] }), 1],
    ['a deviation', result({ findings: [deviation()] }), 0],
    ['a deviation in a strict run', result({ findings: [deviation()], strict: true }), 1],
    ['Ctrl-C', result({ findings: [finding()], interrupted: 'Ctrl-C' }), 130],
    ['SIGTERM', result({ interrupted: 'SIGTERM' }), 143],
    ['a run that something else ended', result({ interrupted: 'no answer' }), 2],
    ['findings of such a run', result({ findings: [finding()], interrupted: 'no answer' }), 1],
    ['a failure that a baseline lets pass', result({ baselined: [known()], strict: true }), 0],
  ] as const)('of %s', (_name, run, code) => {
    expect(exitCodeOf(run)).toBe(code)
  })
})

describe('the sentence on a run', () => {
  const failing = { findings: [finding(), deviation()] }

  test.each([
    [result(), 'The sandbox at http://127.0.0.1:4020 keeps the contract, as far as 1 of 1 rule could tell.'],
    [
      result({ baselined: [known()] }),
      'The sandbox at http://127.0.0.1:4020 keeps the contract besides 1 known finding, as far as 2 of 2 rules could tell.',
    ],
    [
      result(failing),
      'The sandbox at http://127.0.0.1:4020 breaks the contract in 1 place, and shows 1 deviation.',
    ],
    [
      result({ findings: [deviation()] }),
      'The sandbox at http://127.0.0.1:4020 breaks no fact of the contract, and shows 1 deviation.',
    ],
    [
      result({ findings: [deviation()], strict: true }),
      'The sandbox at http://127.0.0.1:4020 breaks no fact of the contract, and shows 1 deviation, which counts in a strict run.',
    ],
    [
      result({ ...failing, interrupted: 'Ctrl-C' }),
      'Interrupted: the sandbox at http://127.0.0.1:4020 was checked in part, 3 of 3 rules, with 1 failure and 1 deviation so far (Ctrl-C).',
    ],
    [
      result({ target: 'live' }),
      'The live service at http://127.0.0.1:4020 keeps the contract, as far as 1 of 1 rule could tell.',
    ],
    [
      result({ rules: [rule({ status: 'not-assessed', reason: 'It is a mock.' })] }),
      'Nothing could be assessed of the sandbox at http://127.0.0.1:4020.',
    ],
  ])('case %#', (run, sentence) => {
    expect(summaryOf(run)).toBe(sentence)
  })
})

test('counts everything once', () => {
  expect(countsOf(fullResult())).toEqual({
    failures: 1,
    deviations: 1,
    baselined: 1,
    held: 1,
    broken: 2,
    notAssessed: 2,
    masked: 7,
  })
})

test('a finding of a rule that is not listed brings the rule with it', () => {
  expect(countsOf(result({ findings: [finding({ rule: 'unlisted' })] }))).toMatchObject({
    held: 1,
    broken: 1,
  })
})

test('coverage is full only where nothing is missing', () => {
  expect(percent({ name: 'rows', seen: 999, all: 1000 })).toBe(99)
  expect(percent({ name: 'rows', seen: 0, all: 0 })).toBeUndefined()
  expect([...unseenOf(fullResult().coverage)]).toEqual([
    ['Operations without a success', ['createTransfer']],
    [
      'Statuses and media types never seen',
      ['checkKey 429 application/problem+json', 'createTransfer 201 application/json'],
    ],
    ['Request keywords never broken', ['/components/schemas/Ispb/pattern']],
  ])
})
