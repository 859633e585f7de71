import { stepsOf, valueAt } from '@partner-payments/contract'
import type { Echoes, MockResponse } from './operation.ts'

/**
 * A response whose fields repeat values of the request where the contract says so, instead of the
 * values of an example. The contract says it by `x-echoes`:
 * `{ '$request.body#/amount': '$response.body#/amount' }`.
 *
 * @param sent The body of the request.
 */
export function withEchoes(echoes: Echoes, sent: unknown, response: MockResponse): MockResponse {
  const isSuccess = response.status < 300
  if (!isSuccess) return response

  const body = structuredClone(response.body)
  for (const [from, to] of Object.entries(echoes)) {
    const value = valueAt(sent, readPointer(from))
    if (value !== undefined) replaceValue(body, readPointer(to), value)
  }
  return { ...response, body }
}

/** Replaces the value at a pointer; adds none where the body has no such property. */
function replaceValue(body: unknown, pointer: string, value: unknown): void {
  const parentPointer = pointer.slice(0, pointer.lastIndexOf('/'))
  const parent = valueAt(body, parentPointer) as Record<string, unknown> | undefined
  const name = stepsOf(pointer).at(-1)
  if (parent && name !== undefined && name in parent) parent[name] = value
}

/**
 * The pointer of a body expression: `$request.body#/amount/original` (OpenAPI 3.1, runtime
 * expressions).
 */
function readPointer(expression: string): string {
  return expression.slice(expression.indexOf('#') + 1)
}
