import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { readFiles } from '../lint/check.ts'
import type { Node } from '../lint/marks.ts'
import { contract, guide, type Operation, operationsOf } from './contract.ts'

const facts = readFiles(SPEC).facts.value
const aliases = operationsOf(guide).map((alias) => [alias.id, alias] as const)

it.each(aliases)(
  '%s has the bodies of its operation unless the document shows others',
  (id, alias) => {
    const { body, response } = facts.guide[id] ?? {}
    const aliased = aliasedBy(alias)
    if (!body) expect(requestOf(alias)).toBe(requestOf(aliased))
    if (!response) expect(successOf(alias)).toBe(successOf(aliased))
  },
)

it.each(aliases)('%s has the success and the refusals of its operation', (_, alias) => {
  const own = Object.keys(alias.operation.responses as Node)
  // No short path has a variant with a trailing slash, so none declares a 405.
  const theirs = Object.keys(aliasedBy(alias).operation.responses as Node).filter(
    (it) => it !== '405',
  )
  expect(own).toEqual(theirs)
})

function aliasedBy({ operation }: Operation): Operation {
  const aliased = operationsOf(contract).find(({ id }) => id === operation['x-alias-of'])
  if (!aliased) throw new Error(`the contract has no operation "${operation['x-alias-of']}"`)
  return aliased
}

function requestOf({ operation }: Operation): unknown {
  return operation.requestBody && schemaOf(operation.requestBody)
}

function successOf({ operation }: Operation): unknown {
  const [[, success] = []] = Object.entries(operation.responses as Node).filter(([it]) =>
    it.startsWith('2'),
  )
  return schemaOf(success)
}

/** The component that a body refers to. */
function schemaOf(body: unknown): unknown {
  const { content } = body as { content: Record<string, { schema: Node }> }
  const media = content['application/json']
  return media?.schema.$ref
}
