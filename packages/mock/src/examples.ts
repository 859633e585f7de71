import { isDeepStrictEqual } from 'node:util'
import type { Example, Operation, Preference } from './operation.ts'
import { declaredResponse } from './prefer.ts'

/**
 * Selects the success example for a body. Matching request and response examples share a name; the
 * request example with the most properties equal to the body wins, the first one if several are
 * equal. A flow through the examples is therefore consistent: checking a company's key returns the
 * company, and paying it returns its transfer.
 */
export function exampleFor(operation: Operation, body: unknown): string | undefined {
  const names = declaredResponse({}, operation)?.examples.map(({ name }) => name) ?? []
  const [best] = operation.requestExamples
    .filter(({ name }) => names.includes(name))
    .map((example) => ({ name: example.name, similarity: similarity(example, body) }))
    .sort((a, b) => b.similarity - a.similarity)
  return best?.name
}

/** Whether a preference leaves the choice of an example to the mock. */
export function canChooseExample(preference: Preference, operation: Operation): boolean {
  const success = declaredResponse({}, operation)?.status
  return (
    preference.example === undefined &&
    !preference.dynamic &&
    (preference.code === undefined || preference.code === success)
  )
}

function similarity({ value }: Example, body: unknown): number {
  const sent = (body ?? {}) as Record<string, unknown>
  return Object.entries((value ?? {}) as object).filter(([name, expected]) =>
    isDeepStrictEqual(expected, sent[name]),
  ).length
}
