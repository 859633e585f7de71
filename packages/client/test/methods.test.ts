import type { Operation } from '@partner-payments/contract'
import { expect, test } from 'vitest'
import { operations } from '../build/contract.ts'
import { listSchemas, writeMethod } from '../build/methods.ts'

const checkCode = operations.find(({ id }) => id === 'checkCode') as Operation

test('a check takes the field of its request schema, and names no schema that it does not print', () => {
  expect(writeMethod(checkCode)).toContain(
    "check(emv: CheckCodeRequest['emv'], options?: CallOptions): Call<CheckedCode, 200",
  )
  expect(listSchemas(checkCode)).toEqual(['CheckCodeRequest'])
})

test('a second operation with the schemas of a check has every schema that it prints', () => {
  const second = { ...checkCode, id: 'readCode', name: 'read' }
  expect(writeMethod(second)).toContain(
    'read(body: CheckCodeRequest, options?: CallOptions): Call<CodeCheck, 200',
  )
  expect(listSchemas(second)).toEqual(['CheckCodeRequest', 'CodeCheck'])
})

test('the method of a deprecated operation is deprecated', () => {
  expect(writeMethod(checkCode)).not.toContain('@deprecated')
  const deprecation = { since: '2026-12-01', sunset: '2027-06-01' }
  expect(writeMethod({ ...checkCode, deprecation })).toContain(
    '\n   * @deprecated Deprecated since 2026-12-01. It stops working on 2027-06-01.\n   */\n',
  )
})

test('only a list with pages is iterated', () => {
  const list = operations.find(({ id }) => id === 'listDueDateQrCodes') as Operation
  expect(writeMethod(list)).toContain('listDueDate(query?: ')
  expect(writeMethod(list)).toContain('): List<')
  expect(writeMethod({ ...list, isPaged: false })).toContain('): Call<')
})
