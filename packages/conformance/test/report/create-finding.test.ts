import { expect, test } from 'vitest'
import {
  addCase,
  buildFindingId,
  createFinding,
  type FailedCase,
} from '../../src/report/create-finding.ts'

/** A failed case of one rule, with the same citation and subject. */
function failed(message: string, impact: 'high' | 'critical'): FailedCase {
  return {
    rule: 'records-shown',
    cites: { question: 'list-lag' },
    message,
    evidence: {
      type: 'delivery',
      completeAt: 1,
      url: 'http://127.0.0.1:1/',
      headers: {},
      text: '{}',
      status: 204,
    },
    at: { about: 'a record', impact },
  }
}

test('it shows the most severe case of a finding, and counts all of them', () => {
  const first = failed('A customer sees it.', 'high')
  const second = failed('Another partner sees it.', 'critical')
  expect(buildFindingId(second)).toBe(buildFindingId(first))

  const finding = createFinding(buildFindingId(first), first)
  const severest = { severity: 'critical', message: 'Another partner sees it.' }
  expect(addCase(finding, second)).toMatchObject({ ...severest, count: 2 })
  expect(addCase(addCase(finding, second), first)).toMatchObject({ ...severest, count: 3 })
})
