import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { readFiles } from '../lint/check.ts'
import type { Node } from '../lint/marks.ts'
import { contract, guide, listOperations, type Operation } from './contract.ts'

const facts = readFiles(SPEC).facts.value
const aliases = listOperations(guide).map((alias) => ({ id: alias.id, alias }))

it.each(aliases)(
  '$id has the bodies of its operation unless the document shows others',
  ({ id, alias }) => {
    const { body, response } = facts.guide[id] ?? {}
    const shown = { body, response }
    const aliased = aliasedBy(alias)
    const differs = {
      body: requestOf(alias) !== requestOf(aliased),
      response: successOf(alias) !== successOf(aliased),
    }
    const parts = ['body', 'response'] as const
    expect(parts.filter((part) => differs[part] && !shown[part])).toEqual([])
  },
)

it.each(aliases)('$id has the success and the refusals of its operation', ({ alias }) => {
  const statuses = Object.keys(alias.operation.responses as Node)
  const aliased = Object.keys(aliasedBy(alias).operation.responses as Node)
  // No short path has a variant with a trailing slash, so none declares a 405.
  expect(statuses).toEqual(aliased.filter((status) => status !== '405'))
})

function aliasedBy({ operation }: Operation): Operation {
  const aliased = listOperations(contract).find(({ id }) => id === operation['x-alias-of'])
  if (!aliased) throw new Error(`the contract has no operation "${operation['x-alias-of']}"`)
  return aliased
}

function requestOf({ operation }: Operation): unknown {
  return operation.requestBody && schemaOf(operation.requestBody)
}

function successOf({ operation }: Operation): unknown {
  const responses = Object.entries(operation.responses as Node)
  const [, success] = responses.find(([status]) => status.startsWith('2')) ?? []
  return schemaOf(success)
}

/** The component that a body refers to. */
function schemaOf(body: unknown): unknown {
  const { content } = body as { content: Record<string, { schema: Node }> }
  const media = content['application/json']
  return media?.schema.$ref
}
