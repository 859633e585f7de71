import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledSize } from '@partner-payments/bench'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Contract, printFixtures } from '../build/fixtures.ts'
import type {
  DictTransferRequest,
  KeyCheck,
  Problem,
  TransferSettledEvent,
} from '../src/generated/contract.ts'
import * as fixtures from '../src/generated/fixtures.ts'
import { contract } from './contract.ts'

const home = fileURLToPath(new URL('..', import.meta.url))

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

  test('an invalid example does not compile', () => {
    const broken = structuredClone(contract)
    Object.assign(broken.components.examples?.checkEmail?.value ?? {}, { dict_key: 1 })
    expect(compile(broken)).toMatch(/TS2322.*'number' is not assignable to type 'string'/)
  })
})

/** The compiler output for the fixtures of a contract. */
function compile(contract: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'))
  const files = ['fixtures.ts', 'contract.ts'].map((name) => join(folder, name)) as [string, string]
  writeFileSync(files[0], printFixtures(contract as Contract))
  copyFileSync(join(home, 'src/generated/contract.ts'), files[1])
  const options =
    '--ignoreConfig --noEmit --strict --allowImportingTsExtensions --target es2024 --module nodenext'
  try {
    return execFileSync(join(home, 'node_modules/.bin/tsc'), [...options.split(' '), ...files], {
      encoding: 'utf8',
    })
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a bundle contains only the operations that are used', async () => {
  const size = (source: string) => bundledSize(source, import.meta.dirname)
  const one = await size(
    `import { checkKey } from '../src/generated/fixtures.ts'\nconsole.log(checkKey.request.email)`,
  )
  const many = await size(`import * as fixtures from '../src/generated/fixtures.ts'\nconsole.log(fixtures)`)
  expect(one).toBeLessThan(many / 4)
})
