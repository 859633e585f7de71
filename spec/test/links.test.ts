import { valueAt } from '@partner-payments/text'
import { expect, it } from 'vitest'
import { isNode, type Node } from '../lint/marks.ts'
import { bodiesOf, contract, operationsOf } from './contract.ts'

const operations = operationsOf(contract)
const links = operations.flatMap((operation) =>
  Object.values(operation.operation.responses as Node).flatMap((response) =>
    Object.entries(((response as Node).links as Node) ?? {}).map(
      ([name, link]) => [`${operation.id} ${name}`, operation, link as Node] as const,
    ),
  ),
)

it('has links', () => expect(links.length).toBeGreaterThan(10))

it.each(links)(
  '%s refers to an operation, with values of the examples',
  (_name, operation, link) => {
    expect(operations.map(({ id }) => id)).toContain(link.operationId)
    const bodies = bodiesOf(operation)
    for (const expression of expressionsIn([link.parameters, link.requestBody])) {
      const [, of, pointer = ''] = expression.match(/^\$(request|response)\.body#(\/.+)$/) ?? []
      const body = bodies.find((it) =>
        of === 'request' ? it.of === 'request' : it.of.startsWith('2'),
      )
      const values = Object.values(body?.examples ?? {}).map((value) => valueAt(value, pointer))
      expect(
        values.every((value) => value !== undefined),
        expression,
      ).toBe(true)
      expect(values.length, expression).toBeGreaterThan(0)
    }
  },
)

const echoes = operations.flatMap((operation) =>
  Object.entries((operation.operation['x-echoes'] ?? {}) as Readonly<Record<string, string>>).map(
    ([sent, shown]) => [operation.id, sent, shown, operation] as const,
  ),
)

it.each(echoes)('%s: its examples repeat %s at %s', (_id, sent, shown, operation) => {
  const [request, success] = bodiesOf(operation)
  const pairs = Object.entries(request?.examples ?? {}).filter(
    ([name]) => name in (success?.examples ?? {}),
  )
  expect(pairs.length).toBeGreaterThan(0)
  const [from = '', to = ''] = [sent, shown].map((it) =>
    it.replace(/^\$(request|response)\.body#/, ''),
  )
  for (const [name, example] of pairs) {
    expect(valueAt(example, from), `${name} ${from}`).toBeTypeOf('string')
    expect(valueAt(success?.examples[name], to)).toBe(valueAt(example, from))
  }
})

function expressionsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('$') ? [value] : []
  return Array.isArray(value) || isNode(value) ? Object.values(value).flatMap(expressionsIn) : []
}
