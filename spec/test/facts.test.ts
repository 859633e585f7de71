import { valueAt } from '@partner-payments/contract'
import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { readFiles } from '../lint/check.ts'
import type { Node } from '../lint/marks.ts'
import { contract, findErrors, guide, listBodies, listOperations } from './contract.ts'

const facts = readFiles(SPEC).facts.value

it('knows operations and short paths of the document, which the contract has', () => {
  for (const { document, stated } of [
    { document: contract, stated: facts.operations },
    { document: guide, stated: facts.guide },
  ] as const) {
    const ids = Object.keys(stated)
    expect(ids.length).toBeGreaterThan(0)
    const declared = listOperations(document).map(({ id }) => id)
    expect(declared).toEqual(expect.arrayContaining(ids))
  }
})

/** Values that the document shows, which must be accepted. */
const shown = Object.entries(facts.accepts).flatMap(([id, places]) =>
  Object.entries(places).flatMap(([pointer, values]) =>
    values.map((value) => ({ id, pointer, value, json: JSON.stringify(value) })),
  ),
)

it.each(shown)('$id accepts at $pointer the documented value $json', ({ id, pointer, value }) => {
  const { place, body } = success(id)
  expect(valueAt(body, pointer), 'the place exists').not.toBe(undefined)
  expect(findErrors(place, withValue(body, pointer, value))).toEqual([])
})

it.each(['zero', '0.00', '10,00', 10])(
  'refuses %j as a deduction, since the document writes zero as 0',
  (value) => {
    const { place, body } = success('checkCode')
    expect(findErrors(place, withValue(body, '/deduction', value))).not.toEqual([])
  },
)

function success(id: string) {
  const operation = listOperations(contract).find((candidate) => candidate.id === id)
  const body = operation && listBodies(operation).find(({ of }) => of.startsWith('2'))
  if (!body) throw new Error(`${id} has no success with a body`)
  return { place: body.place, body: Object.values(body.examples)[0] }
}

function withValue(body: unknown, pointer: string, value: unknown): unknown {
  const copy = structuredClone(body)
  const parent = valueAt(copy, pointer.replace(/\/[^/]+$/, ''))
  Object.assign(parent as Node, { [pointer.split('/').at(-1) ?? '']: value })
  return copy
}
