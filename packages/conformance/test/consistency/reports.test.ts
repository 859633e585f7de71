import { expect, test } from 'vitest'
import { fieldsOf } from '../../src/contract/json.ts'
import { cancel, charge, charges, check, codeOf, findings, payCode, readStory } from '../story.ts'
import { asCreated, LATER, pooled, SETTLED } from './steps.ts'

test('it finds nothing in a list that may lag behind the cancellation', () => {
  const story = [charge, cancel(), charges('', { shown: asCreated })]
  expect(findings(story, { lagMs: 5_000 })).not.toContain('money-consistent@listImmediateQrCodes')
})

test('it reports what contradicts the service itself as critical, with its own exchange', () => {
  const { findings } = readStory([charge, cancel(), payCode(SETTLED)])
  const [finding] = findings.filter(({ rule }) => rule === 'money-consistent')
  expect(finding).toMatchObject({
    kind: 'deviation',
    severity: 'critical',
    cites: {
      own: {
        operation: 'cancelImmediateQrCode',
        requestId: 'req_4',
        says: 'cancelImmediateQrCode has cancelled the code',
      },
    },
  })
})

test('it reports a pooled account as a deviation of its open questions', () => {
  const found = readStory(pooled).findings.filter(({ message }) => message.includes('account'))
  const judged = found.map(({ rule, severity, cites }) => [
    rule,
    severity,
    fieldsOf(cites).question,
  ])
  expect(judged).toEqual([
    ['money-accounts', 'warning', 'token-permissions'],
    ['money-accounts', 'warning', 'customer-fields'],
  ])
})

test('it waits for no later look at what it has found already', () => {
  const other = { qrcode_type: 'Static' }
  const story = [charge, LATER, check(other), charge, check(other, { emv: codeOf(2) })]
  const { findings } = readStory(story, { lagMs: 5_000 })
  const found = findings.find(({ message }) => message.includes('qrcode_type'))
  expect(found?.count).toBe(2)
})
