import { isDeepStrictEqual } from 'node:util'
import type { Example, Operation, Preference } from './operation.ts'
import { successResponse } from './prefer.ts'

/**
 * Selects the success example for a body. Matching request and response examples share a name; the
 * request example with the most properties equal to the body wins, the first one if several are
 * equal. A flow through the examples is therefore consistent: checking a company's key returns the
 * company, and paying it returns its transfer.
 */
export function chooseExample(operation: Operation, body: unknown): string | undefined {
  const success = successResponse(operation)
  if (!success) return undefined

  const responseNames = success.examples.map(({ name }) => name)
  let bestName: string | undefined
  let highestCount = -1
  for (const requestExample of operation.requestExamples) {
    if (!responseNames.includes(requestExample.name)) continue

    const count = countEqualProperties(requestExample, body)
    if (count > highestCount) {
      bestName = requestExample.name
      highestCount = count
    }
  }
  return bestName
}

/**
 * Whether the mock may choose the example: the caller named none, and wants neither a generated
 * response nor another status than that of success.
 */
export function canChooseExample(preference: Preference, operation: Operation): boolean {
  if (preference.example !== undefined) return false
  if (preference.dynamic) return false
  if (preference.code === undefined) return true

  return preference.code === successResponse(operation)?.status
}

/** How many properties of a request example the body has with the same value. */
function countEqualProperties({ value }: Example, body: unknown): number {
  const expected = (value ?? {}) as object
  const sent = (body ?? {}) as Record<string, unknown>

  let count = 0
  for (const [name, property] of Object.entries(expected)) {
    if (isDeepStrictEqual(property, sent[name])) count += 1
  }
  return count
}
