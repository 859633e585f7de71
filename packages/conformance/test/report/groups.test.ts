import { expect, test } from 'vitest'
import { firstToMend, groupsOf, rulesIn } from '../../src/report/groups.ts'
import { deviation, finding } from './results.ts'

const at = (status: number | undefined) => ({ ...finding().evidence, status })

test('one group for a rule and a message, with its operations', () => {
  const findings = ['listUsers', 'getUser', 'getUser'].map((operation, i) =>
    finding({ id: `f-${i}`, operation }),
  )
  const [group, ...others] = groupsOf([...findings, finding({ id: 'f-9', message: 'Another.' })])
  expect(group).toMatchObject({ operations: ['listUsers', 'getUser'], first: { id: 'f-0' } })
  expect(group?.findings).toHaveLength(3)
  expect(others).toHaveLength(1)
})

test('a failure and a deviation are not one, whatever they say', () => {
  expect(groupsOf([finding(), finding({ kind: 'deviation' })])).toHaveLength(2)
})

test('what follows from a failure of the service stands below it', () => {
  const cause = finding({ id: 'f-cause', rule: 'no-server-error', evidence: at(500) })
  const follower = finding({ id: 'f-follows', rule: 'empty-body-refused', evidence: at(500) })
  const elsewhere = finding({
    id: 'f-else',
    rule: 'empty-body-refused',
    operation: 'signIn',
    evidence: at(500),
  })
  const other = finding({ id: 'f-other', rule: 'empty-body-refused', evidence: at(200) })
  const groups = groupsOf([follower, elsewhere, other, cause])
  expect(groups.map(({ findings, follows }) => [findings.map(({ id }) => id), rulesIn(follows)])).toEqual([
    [['f-cause'], 'empty-body-refused (1)'],
    [['f-else', 'f-other'], ''],
  ])
})

test('every finding is in one group, once', () => {
  const findings = [500, 200, undefined].flatMap((status) =>
    ['no-server-error', 'answers-come', 'problem-details'].map((rule) =>
      finding({ id: `${rule} ${status}`, rule, evidence: at(status) }),
    ),
  )
  const ids = groupsOf(findings).flatMap((it) => [...it.findings, ...it.follows].map(({ id }) => id))
  expect(ids.toSorted()).toEqual(findings.map(({ id }) => id).toSorted())
})

test('one begins with what brings about others, and with failures before deviations', () => {
  const cause = finding({ id: 'f-cause', rule: 'no-server-error', evidence: at(500) })
  expect(firstToMend([deviation(), finding(), cause])?.id).toBe('f-cause')
  expect(firstToMend([deviation(), finding()])?.id).toBe(finding().id)
  expect(firstToMend([])).toBeUndefined()
})
