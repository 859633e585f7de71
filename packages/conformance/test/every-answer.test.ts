import { expect, test } from 'vitest'
import { check } from '../src/engine/check.ts'
import { todos } from './foreign/contract.ts'
import { createTodos } from './foreign/service.ts'
import { inProcess } from './wire.ts'

test('a law that no answer bore on is not assessed, and never held', async () => {
  const contract = { ...todos, security: [] }
  const only = ['invariants', 'response-schema']
  const { laws } = await check({
    url: 'http://in.process',
    target: 'sandbox',
    contract,
    wire: inProcess(createTodos()),
    only,
  })
  const asked = laws.filter(({ law }) => only.includes(law))
  expect(
    Object.fromEntries(asked.map(({ law, status, cases }) => [law, status === 'held' && cases > 0])),
  ).toEqual({
    invariants: false,
    'response-schema': true,
  })
  expect(asked.find(({ law }) => law === 'invariants')?.status).toBe('not-assessed')
})
