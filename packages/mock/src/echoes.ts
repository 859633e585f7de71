import { pointerOf, stepsOf, valueAt } from '@partner-payments/text'
import type { Echoes, MockResponse } from './operation.ts'

/** Replaces example values of a success by request values, according to `x-echoes`. */
export function withEchoes(echoes: Echoes, sent: unknown, response: MockResponse): MockResponse {
  if (response.status >= 300) return response
  const body = structuredClone(response.body)
  for (const [from, to] of Object.entries(echoes)) {
    const value = valueAt(sent, pointerIn(from))
    const path = stepsOf(pointerIn(to))
    const name = path.pop() ?? ''
    const holder = valueAt(body, path.reduce(pointerOf, '')) as Record<string, unknown> | undefined
    if (value !== undefined && holder && name in holder) holder[name] = value
  }
  return { ...response, body }
}

/**
 * The pointer of a body expression: `$request.body#/amount/original` (OpenAPI 3.1, runtime
 * expressions).
 */
function pointerIn(expression: string): string {
  return expression.slice(expression.indexOf('#') + 1)
}
