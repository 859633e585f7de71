import { stepsOf } from '@partner-payments/contract'
import type { MockResponse, Operation, Preference } from './operation.ts'

const MAX_ATTEMPTS = 10

/**
 * Generates a response that matches the schema. Prism's generator supports types, formats and most
 * patterns. Where it fails, such as for a base64 image, the value of the contract's example is
 * used.
 */
export async function generateResponse(
  operation: Operation,
  preference: Preference,
): Promise<MockResponse> {
  const example = await operation.sample({ ...preference, dynamic: false })

  let response = example
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    response = await operation.sample(preference)
    replaceInvalidValues(operation, response, example)
    const isValid = operation.findingsInResponse(response).length === 0
    if (isValid) break
  }
  return response
}

/** Replaces each value of a response that does not conform to its schema by that of the example. */
function replaceInvalidValues(
  operation: Operation,
  response: MockResponse,
  example: MockResponse,
): void {
  for (const { pointer } of operation.findingsInResponse(response)) {
    response.body = replaceValue(response.body, example.body, stepsOf(pointer))
  }
}

/**
 * Copies an operation with schemas that the generator of Prism can follow. Removes the pattern of a
 * string that also has a format, since the generator would follow the pattern and then fail to parse
 * the value as a date. Forbids additional properties, since the generator would add random ones.
 */
export function withGeneratableSchemas<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withGeneratableSchemas) as T
  if (!isRecord(node)) return node

  const entries: [key: string, value: unknown][] = []
  const describesObject = isRecord(node.properties)
  if (describesObject) entries.push(['additionalProperties', false])

  const hasFormat = typeof node.format === 'string'
  for (const [key, value] of Object.entries(node)) {
    if (key === 'pattern' && hasFormat) continue
    entries.push([key, withGeneratableSchemas(value)])
  }
  return Object.fromEntries(entries) as T
}

/**
 * Returns `value` with that of the example at a path: for `['data', '3', 'id']`, the fourth record gets
 * the `id` of the example's first one. If the path leads out of one of the two, the whole value at
 * that point is replaced. Changes objects and arrays in place.
 */
function replaceValue(value: unknown, example: unknown, path: readonly string[]): unknown {
  const [step, ...stepsBelow] = path
  const isAtEnd = step === undefined
  const canDescend = isRecord(value) && isRecord(example)
  if (isAtEnd || !canDescend) return example

  const exampleBelow = Array.isArray(example) ? example[0] : example[step]
  if (exampleBelow === undefined) return example

  value[step] = replaceValue(value[step], exampleBelow, stepsBelow)
  return value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
