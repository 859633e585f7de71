import { expect, test } from 'vitest'
import { exitCodeOf } from '../../src/report/exit-codes.ts'
import { deviation, finding, known, result } from './results.ts'

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
