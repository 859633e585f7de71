import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { loadContract } from '../../src/model/contract-source.ts'
import { alters, type Fault, isSuccess, withBody } from '../rules/broken.ts'
import { openSandbox } from '../rules/in-process.ts'

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

const run = openSandbox()

/** The findings of a service, by the contract or a changed copy of it. */
async function found(contract: object, fault: Fault): Promise<readonly string[]> {
  const beside = ['undeclared-fields', 'example-accepted', 'invariants']
  const { verdicts, findings } = await run(
    'aliases-served',
    { contract, beside, operations: ['checkKey'] },
    fault,
  )
  expect(verdicts).toHaveLength(Object.keys(questions).length)
  return findings.map(({ rule, kind }) => `${kind} ${rule}`)
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
  const withNickname = alters(undefined, (response, { path }) =>
    /\/(dict\/check|pix\/key)/.test(path) && isSuccess(response)
      ? withBody(response, (body) => ({ ...body, nickname: 'Bel' }))
      : response,
  )
  expect(await found(contract, withNickname)).toContain('deviation undeclared-fields')
  expect(await found(copy, withNickname)).toEqual([])
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
