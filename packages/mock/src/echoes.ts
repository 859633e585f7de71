import type { Answer, Echoes } from './operation.ts'

/** A success that shows values of the request where the contract says so, in place of those of its example. */
export function withEchoes(echoes: Echoes, sent: unknown, answer: Answer): Answer {
  if (answer.status >= 300) return answer
  const body = structuredClone(answer.body)
  for (const [from, to] of Object.entries(echoes)) {
    const value = valueAt(sent, steps(from))
    const path = steps(to)
    const holder = valueAt(body, path.slice(0, -1)) as Record<string, unknown> | undefined
    const name = path.at(-1) ?? ''
    if (value !== undefined && holder && name in holder) holder[name] = value
  }
  return { ...answer, body }
}

/** The steps of a body expression: `$request.body#/amount/original` (OpenAPI 3.1, runtime expressions). */
function steps(expression: string): string[] {
  return expression.split('#/')[1]?.split('/') ?? []
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((it, step) => (it as Record<string, unknown> | undefined)?.[step], value)
}
