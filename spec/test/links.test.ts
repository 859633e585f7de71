import { valueAt } from '@partner-payments/contract'
import { expect, it } from 'vitest'
import { isNode, type Node } from '../lint/marks.ts'
import { contract, listBodies, listOperations } from './contract.ts'

const operations = listOperations(contract)
const links = operations.flatMap((operation) => {
  const responses = Object.values(operation.operation.responses as Readonly<Record<string, Node>>)
  const ofOperation = responses.flatMap((response) =>
    Object.entries((response.links as Node) ?? {}),
  )
  return ofOperation.map(([name, link]) => ({
    name: `${operation.id} ${name}`,
    operation,
    link: link as Node,
  }))
})

it('has links', () => expect(links.length).toBeGreaterThan(10))

it.each(links)(
  '$name refers to an operation, with values of the examples',
  ({ operation, link }) => {
    expect(operations.map(({ id }) => id)).toContain(link.operationId)
    const bodies = listBodies(operation)
    for (const expression of expressionsIn([link.parameters, link.requestBody])) {
      const [, side, pointer = ''] = expression.match(/^\$(request|response)\.body#(\/.+)$/) ?? []
      const isNamed = ({ of }: { of: string }) =>
        side === 'request' ? of === 'request' : of.startsWith('2')
      const examples = Object.values(bodies.find(isNamed)?.examples ?? {})
      const values = examples.map((example) => valueAt(example, pointer))
      const isInEach = values.every((value) => value !== undefined)
      expect(isInEach, expression).toBe(true)
      expect(values.length, expression).toBeGreaterThan(0)
    }
  },
)

const echoes = operations.flatMap((operation) => {
  const declared = (operation.operation['x-echoes'] ?? {}) as Readonly<Record<string, string>>
  return Object.entries(declared).map(([sent, shown]) => ({
    id: operation.id,
    sent,
    shown,
    operation,
  }))
})

it.each(echoes)('$id: its examples repeat $sent at $shown', ({ sent, shown, operation }) => {
  const [request, success] = listBodies(operation)
  const isAnswered = ([name]: [string, unknown]) => name in (success?.examples ?? {})
  const pairs = Object.entries(request?.examples ?? {}).filter(isAnswered)
  const advice = 'give an example of the response the name of its request, such as `create`'
  expect(pairs.length, advice).toBeGreaterThan(0)

  const from = pointerIn(sent)
  const to = pointerIn(shown)
  for (const [name, example] of pairs) {
    expect(valueAt(example, from), `${name} ${from}`).toBeTypeOf('string')
    expect(valueAt(success?.examples[name], to)).toBe(valueAt(example, from))
  }
})

/** The pointer of a runtime expression into a body. */
function pointerIn(expression: string): string {
  return expression.replace(/^\$(request|response)\.body#/, '')
}

function expressionsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('$') ? [value] : []
  if (!Array.isArray(value) && !isNode(value)) return []
  return Object.values(value).flatMap(expressionsIn)
}
