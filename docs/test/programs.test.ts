import { expect, test } from 'vitest'
import { inline, type Operation, operationsOf } from '../build/contract.ts'
import { writeProgram } from '../build/programs.ts'
import { behaviour, whole } from './site.ts'

const operations = operationsOf(inline(whole), behaviour)

/** The last lines of the program of an operation that has no words of its own. */
function genericLines(id: string, body?: object): string[] {
  const operation = operations.find((candidate) => candidate.id === id) as Operation
  const program = writeProgram({ ...operation, id: 'newOperation' }, body)
  return program.trim().split('\n').slice(6)
}

test('a new operation has a program that prints two of its fields', () => {
  expect(genericLines('checkKey', { dict_key: 'a@b.c' })).toEqual([
    "const result = await payments.keys.check({ dict_key: 'a@b.c' })",
    'console.log(result.owner_name, result.dict_key)',
  ])
  expect(genericLines('getWebhook')).toEqual([
    "const webhook_id = 'ea39a477-9f5e-4b25-9540-bcba72e862bb'",
    'const result = await payments.webhooks.get(webhook_id)',
    'console.log(result.id, result.url)',
  ])
})

test('a new list has a program that prints each record, and a paged one goes through its pages', () => {
  expect(genericLines('listUsers')).toEqual([
    'const result = await payments.users.list()',
    'console.log(result.users.map((record) => [record.status, record.id]))',
  ])
  expect(genericLines('listDueDateQrCodes').join('\n')).toContain('for await (const result of ')
})

test('a new operation may return nothing', () => {
  expect(genericLines('cancelDueDateQrCode').at(-1)).toBe('console.log(result?.status, result?.id)')
  expect(genericLines('deleteWebhook').at(-1)).toBe("console.log('delete: done')")
})

test('a new short path is called by its path', () => {
  expect(genericLines('guideListWebhooks')).toEqual([
    "const { data, error } = await api.GET('/partners/webhooks')",
    'if (error) throw new Error(error.title)',
    'console.log(data.data.map((record) => [record.status, record.id]))',
  ])
})
