import { expect, test } from 'vitest'
import { check } from '../src/check.ts'
import { todos } from './foreign/contract.ts'
import { createTodos } from './foreign/service.ts'
import { inProcess } from './wire.ts'

test('a rule that no answer bore on is not assessed, and never held', async () => {
  const contract = { ...todos, security: [] }
  const only = ['invariants', 'response-schema']
  const { rules } = await check({
    url: 'http://in.process',
    target: 'sandbox',
    contract,
    transport: inProcess(createTodos()),
    only,
  })
  const asked = rules.filter(({ rule }) => only.includes(rule))
  expect(
    Object.fromEntries(asked.map(({ rule, status, cases }) => [rule, status === 'passed' && cases > 0])),
  ).toEqual({
    invariants: false,
    'response-schema': true,
  })
  expect(asked.find(({ rule }) => rule === 'invariants')?.status).toBe('not-assessed')
})
