import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../src/check.ts'
import { loadContract } from '../../src/model/contract-source.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { configuration, edited, openService } from '../in-process-sandbox.ts'

/** Parts of the contract that a test changes. */
interface Parts {
  readonly schemas: Record<string, { readonly properties: Record<string, object> }>
  readonly paths: Record<string, Record<string, { readonly operationId?: string }>>
}

function changed(change: (parts: Parts) => void): object {
  const copy = structuredClone(contract)
  change({ schemas: copy.components.schemas, paths: copy.paths } as unknown as Parts)
  return copy
}

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

/** The findings of a service, by the contract or a changed copy of it. */
async function found(
  copy: object,
  { transport, only, operations }: { transport: Transport; only: string[]; operations: string[] },
): Promise<readonly string[]> {
  const result = await check({ ...configuration, contract: copy, transport, only, operations })
  expect(result.verdicts).toHaveLength(Object.keys(questions).length)
  return result.findings.map(({ rule, kind }) => `${kind} ${rule}`)
}

test('it loads an unchanged copy like the contract itself', async () => {
  const [own, copy] = [await loadContract(undefined), await loadContract(changed(() => {}))]
  expect([copy.register, copy.behaviour, copy.leftOut]).toEqual([own.register, own.behaviour, []])
  for (const part of ['questions', 'conventions', 'statements'] as const)
    expect(copy.contract[part]).toEqual(own.contract[part])
  expect(copy.contract.aliases.map(({ view }) => view.id)).toEqual(
    own.contract.aliases.map(({ view }) => view.id),
  )
})

test('it takes a field that the copy adds, also on short paths, and still judges by the open questions', async () => {
  const copy = changed(({ schemas }) => {
    Object.assign(schemas.KeyCheck?.properties ?? {}, { nickname: { type: 'string' } })
  })
  const withNickname = edited(
    service.transport,
    (request, { status }) => /\/(dict\/check|pix\/key)/.test(request.path) && status === 200,
    ({ text }) => ({ text: JSON.stringify({ ...JSON.parse(text), nickname: 'Bel' }) }),
  )
  const run = {
    transport: withNickname,
    only: ['undeclared-fields', 'aliases-served', 'example-accepted', 'invariants'],
    operations: ['checkKey'],
  }
  expect(await found(contract, run)).toContain('deviation undeclared-fields')
  expect(await found(copy, run)).toEqual([])
})

test('it leaves out the state of an enum value that the copy does not have', async () => {
  const copy = JSON.parse(JSON.stringify(contract), (key, value) =>
    key === 'enum' && Array.isArray(value) ? value.filter((it) => it !== 'inactive') : value,
  )
  const { behaviour, leftOut } = await loadContract(copy)
  const { states } = behaviour.resources?.webhook ?? {}
  expect([Object.keys(states ?? {}), states?.active?.on?.update]).toEqual([['active', 'deleted'], undefined])
  expect(leftOut).toEqual([])
})

test('it leaves out a field that the copy does not have, with what is declared of it', async () => {
  const copy = changed(({ schemas }) => void delete schemas.TransferData?.properties.settled_at)
  const { behaviour, leftOut } = await loadContract(copy)
  expect(leftOut).toEqual(['invariants/settled-at'])
  expect(behaviour.invariants).not.toHaveProperty('settled-at')
})

test('it leaves out an operation that the copy does not have, with its resource and short path', async () => {
  const copy = changed(({ paths }) => {
    for (const path of Object.values(paths))
      for (const [method, { operationId = '' }] of Object.entries(path))
        if (/webhook/i.test(operationId)) delete path[method]
  })
  const { contract, behaviour, leftOut } = await loadContract(copy)
  expect(leftOut).toEqual(
    expect.arrayContaining(['resources/webhook', 'lists/listWebhooks', 'guide/partners/webhooks']),
  )
  expect([contract.aliases.length, behaviour.refusals?.tx_id_taken]).toEqual([3, expect.anything()])
})
