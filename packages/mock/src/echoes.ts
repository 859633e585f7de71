import type { Echoes, MockResponse } from './operation.ts'

/** Replaces example values of a success by request values, according to `x-echoes`. */
export function withEchoes(echoes: Echoes, sent: unknown, response: MockResponse): MockResponse {
  if (response.status >= 300) return response
  const body = structuredClone(response.body)
  for (const [from, to] of Object.entries(echoes)) {
    const value = valueAt(sent, steps(from))
    const path = steps(to)
    const holder = valueAt(body, path.slice(0, -1)) as Record<string, unknown> | undefined
    const name = path.at(-1) ?? ''
    if (value !== undefined && holder && name in holder) holder[name] = value
  }
  return { ...response, body }
}

/** The path of a body expression: `$request.body#/amount/original` (OpenAPI 3.1, runtime expressions). */
function steps(expression: string): string[] {
  return expression.split('#/')[1]?.split('/') ?? []
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((it, step) => (it as Record<string, unknown> | undefined)?.[step], value)
}
