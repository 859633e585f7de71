import { isDeepStrictEqual } from 'node:util'
import type { Example, Operation, Wish } from './operation.ts'
import { responseTo } from './prefer.ts'

/**
 * Chooses the success example that belongs to a body: request and response examples that belong together
 * share a name, and the request example with the most members equal to the body's wins, the first of equals.
 * So a flow through the examples hangs together: the look-up of a company's key answers the company, and paying
 * it answers its transfer.
 */
export function exampleFor(operation: Operation, body: unknown): string | undefined {
  const names = responseTo({}, operation)?.examples.map(({ name }) => name) ?? []
  const [best] = operation.requestExamples
    .filter(({ name }) => names.includes(name))
    .map((example) => ({ name: example.name, likeness: likeness(example, body) }))
    .sort((a, b) => b.likeness - a.likeness)
  return best?.name
}

/** Whether a wish leaves the choice of an example to the mock. */
export function leavesChoice(wish: Wish, operation: Operation): boolean {
  const success = responseTo({}, operation)?.status
  return wish.example === undefined && !wish.dynamic && (wish.code === undefined || wish.code === success)
}

function likeness({ value }: Example, body: unknown): number {
  const sent = (body ?? {}) as Record<string, unknown>
  return Object.entries((value ?? {}) as object).filter(([name, shown]) =>
    isDeepStrictEqual(shown, sent[name]),
  ).length
}
