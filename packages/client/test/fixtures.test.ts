import { bundledSize } from '@partner-payments/bench'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type {
  DictTransferRequest,
  KeyCheck,
  Problem,
  TransferSettledEvent,
} from '../src/generated/contract.ts'
import * as fixtures from '../src/generated/fixtures.ts'
import { contract } from './contract.ts'

interface Fixture {
  readonly request?: object
  readonly response?: Readonly<Record<string, object>>
}

interface RawOperation {
  readonly operationId: string
  readonly responses: object
}

const all: Readonly<Record<string, Fixture>> = fixtures
const operations = Object.values<object>({ ...contract.paths, ...contract.webhooks })
  .flatMap((item) => Object.values<RawOperation | string>({ ...item }))
  .filter((it) => typeof it === 'object' && 'operationId' in it)

test('has every operation and delivery of the contract, with its statuses', () => {
  expect(Object.keys(all).sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
  for (const { operationId, responses } of operations) {
    const statuses = Object.keys(responses).filter((status) => status !== '2XX')
    expect(Object.keys(all[operationId]?.response ?? {}), operationId).toEqual(statuses)
  }
})

test('has every example of the contract, unchanged', () => {
  const bodies = Object.values(all).flatMap(({ request = {}, response = {} }) => [
    request,
    ...Object.values(response),
  ])
  const given = new Set(bodies.flatMap((named) => Object.values(named)).map((value) => JSON.stringify(value)))
  const written = Object.values(contract.components.examples ?? {}).map(({ value }) => JSON.stringify(value))
  expect([...given].sort()).toEqual([...new Set(written)].sort())
})

test('names the examples as the contract does', () => {
  expect(fixtures.checkKey.request.email).toEqual({ dict_key: 'beltrana@example.com' })
  expect(fixtures.checkKey.response[200].email.owner_name).toBe('Beltrana de Tal')
  expect(fixtures.createTransfer.response[409].codePaid.code).toBe('code_paid')
  expect(fixtures.onTransferSettled.request.transferSettled.type).toBe('transfer.settled')
  expect(fixtures.deleteWebhook.response[204]).toEqual({})
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
    expectTypeOf(fixtures.onTransferSettled.request.transferSettled).toEqualTypeOf<TransferSettledEvent>()
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
  const size = (source: string) => bundledSize(source, import.meta.dirname)
  const one = await size(
    `import { checkKey } from '../src/generated/fixtures.ts'\nconsole.log(checkKey.request.email)`,
  )
  const many = await size(`import * as fixtures from '../src/generated/fixtures.ts'\nconsole.log(fixtures)`)
  expect(one).toBeLessThan(many / 4)
})
