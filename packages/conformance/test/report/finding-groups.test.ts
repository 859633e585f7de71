import { expect, test } from 'vitest'
import { groupsOf, mostSevere, rulesIn } from '../../src/report/finding-groups.ts'
import { deviation, finding } from './results.ts'

const at = (status: number | undefined) => ({ ...finding().evidence, status })

test('it groups by rule and message', () => {
  const findings = ['listUsers', 'getUser', 'getUser'].map((operation, i) =>
    finding({ id: `f-${i}`, operation }),
  )
  const [group, ...others] = groupsOf([...findings, finding({ id: 'f-9', message: 'Another.' })])
  expect(group).toMatchObject({ operations: ['listUsers', 'getUser'], first: { id: 'f-0' } })
  expect(group?.findings).toHaveLength(3)
  expect(others).toHaveLength(1)
  expect(groupsOf([finding(), finding({ kind: 'deviation' })])).toHaveLength(2)
})

test('it puts effects of a server error below it', () => {
  const cause = finding({ id: 'f-cause', rule: 'no-server-error', evidence: at(500) })
  const effect = finding({ id: 'f-effect', rule: 'body-format', evidence: at(500) })
  const elsewhere = { ...effect, id: 'f-else', operation: 'signIn' }
  const other = { ...effect, id: 'f-other', evidence: at(200) }
  const groups = groupsOf([effect, elsewhere, other, cause])
  expect(groups.map(({ findings, effects }) => [findings.map(({ id }) => id), rulesIn(effects)])).toEqual([
    [['f-cause'], 'body-format (1)'],
    [['f-else', 'f-other'], ''],
  ])
})

test('it loses no finding', () => {
  const findings = [500, 200, undefined].flatMap((status) =>
    ['no-server-error', 'response-received', 'problem-details'].map((rule) =>
      finding({ id: `${rule} ${status}`, rule, evidence: at(status) }),
    ),
  )
  const ids = groupsOf(findings).flatMap((it) => [...it.findings, ...it.effects].map(({ id }) => id))
  expect(ids.toSorted()).toEqual(findings.map(({ id }) => id).toSorted())
})

test('it begins with the most severe findings, and alternates between rules', () => {
  const findings = [
    deviation(),
    ...['a', 'b', 'c'].map((message) => finding({ id: message, message })),
    finding({ id: 'cause', rule: 'no-server-error', evidence: at(500) }),
    deviation({ id: 'critical', severity: 'critical' }),
  ]
  const severe = mostSevere(groupsOf(findings), 3)
  expect(severe.map(({ first }) => first.id)).toEqual(['critical', 'cause', 'a'])
})
