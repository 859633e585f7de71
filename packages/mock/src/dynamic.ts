import type { Answer, Operation, Wish } from './operation.ts'
import type { Violation } from './violations.ts'

const attempts = 10

/**
 * Invents an answer that conforms. The generator behind Prism knows types, formats and most patterns, but
 * misses some, such as the base64 of an image: there the contract's example fills in.
 */
export async function invent(operation: Operation, wish: Wish): Promise<Answer> {
  const example = await operation.sample({ ...wish, dynamic: false })
  let answer = example
  for (let attempt = 0; attempt < attempts; attempt++) {
    answer = await operation.sample(wish)
    for (const violation of await operation.checkAnswer(answer)) {
      answer.body = graft(answer.body, example.body, steps(violation))
    }
    if ((await operation.checkAnswer(answer)).length === 0) break
  }
  return answer
}

/**
 * A copy of an operation that the generator can follow. Where a string has a format and a pattern, the
 * generator obeys the pattern and then fails to read the result as a date: the format stays. And an object
 * has the members that are declared, not some Latin ones besides.
 */
export function forGenerator<T>(node: T): T {
  if (Array.isArray(node)) return node.map(forGenerator) as T
  if (!isRecord(node)) return node
  const entries = Object.entries(node).filter(([key]) => key !== 'pattern' || typeof node.format !== 'string')
  const copy = Object.fromEntries(entries.map(([key, value]) => [key, forGenerator(value)]))
  return (isRecord(node.properties) ? { additionalProperties: false, ...copy } : copy) as T
}

/** Puts what an example has at a place into the same place of a value, or as much around it as it takes. */
function graft(value: unknown, example: unknown, [step, ...rest]: string[]): unknown {
  if (step === undefined || !isRecord(value) || !isRecord(example)) return example
  const source = Array.isArray(example) ? example[0] : example[step]
  if (source === undefined) return example
  value[step] = graft(value[step], source, rest)
  return value
}

function steps({ pointer }: Violation): string[] {
  return pointer.split('/').slice(1)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
