import { bundledSizes } from '@partner-payments/bench'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type {
  DictTransferRequest,
  KeyCheck,
  Problem,
  TransferSettledEvent,
} from '../src/generated/contract.ts'
import * as fixtures from '../src/generated/fixtures.ts'
import { examples, type Json } from './contract.ts'

const all: Readonly<Record<string, { readonly request?: Json; readonly response?: Json }>> =
  fixtures

test('has the examples of the contract by their names, unchanged', () => {
  const ofContract: Record<string, unknown> = {}
  for (const { operationId, of, name, value } of examples) {
    ofContract[`${operationId} ${of} ${name}`] = value
  }

  const exported: Record<string, unknown> = {}
  for (const [operationId, { request = {}, response = {} }] of Object.entries(all)) {
    for (const [of, bodies] of Object.entries({ request, ...response })) {
      for (const [name, value] of Object.entries(bodies as Json)) {
        exported[`${operationId} ${of} ${name}`] = value
      }
    }
  }
  expect(exported).toEqual(ofContract)
})

test('returns a new copy at each access', () => {
  const transfer = fixtures.createTransfer.response[201].payKey
  transfer.data.amount = '99.00'
  expect(fixtures.createTransfer.response[201].payKey.data.amount).toBe('25.00')
})

describe('types', () => {
  test('the types are those of the contract, and of the branch of a discriminated schema', () => {
    expectTypeOf(fixtures.checkKey.response[200].email).toEqualTypeOf<KeyCheck>()
    expectTypeOf(fixtures.createTransfer.request.payKey).toEqualTypeOf<DictTransferRequest>()
    expectTypeOf(fixtures.createTransfer.response[422].insufficientFunds).toEqualTypeOf<Problem>()
    expectTypeOf(
      fixtures.onTransferSettled.request.transferSettled,
    ).toEqualTypeOf<TransferSettledEvent>()
  })

  test('the types reject unknown examples, statuses and operations', () => {
    // @ts-expect-error no such example
    expect(fixtures.checkKey.request.telephone).toBeUndefined()
    // @ts-expect-error no such status
    expect(fixtures.checkKey.response[409]).toBeUndefined()
    // @ts-expect-error an operation without a body
    expect(fixtures.listUsers.request).toBeUndefined()
  })
})

test('a bundle contains only the operations that are used', async () => {
  const sources = {
    one: `import { checkKey } from '../src/generated/fixtures.ts'\nconsole.log(checkKey.request.email)`,
    many: `import * as fixtures from '../src/generated/fixtures.ts'\nconsole.log(fixtures)`,
  }
  const { one, many = 0 } = await bundledSizes(sources, import.meta.dirname)
  expect(one).toBeLessThan(many / 4)
})
