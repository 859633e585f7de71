import { isNode, type Node } from '../marks.ts'
import { listEntries, listOperations, pointerBelow, resolveNode } from '../operations.ts'
import type { Rule } from '../rule.ts'

/** The responses that every operation can have, by their names in responses.yaml. */
export const RESPONSES_OF_EVERY_OPERATION: Readonly<Record<string, string>> = {
  '401': 'Unauthorized',
  '429': 'TooManyRequests',
  '500': 'InternalError',
  '503': 'Unavailable',
}

/**
 * Reports operations without one tag, an effect, an example of each body, the responses that every
 * operation can have, or, if they are deprecated, the day. Redocly's rules want the rest.
 */
export const operationComplete: Rule = function* ({ contract }) {
  for (const { operation, at } of listOperations(contract))
    for (const part of missingParts(contract, operation))
      yield {
        message: `The operation must have ${part}; add it.`,
        at: pointerBelow(at, 'operationId'),
      }
}

/** What an operation lacks, in words that follow “must have”, such as `one tag`. */
function* missingParts(contract: Node, operation: Node) {
  const { tags, 'x-effect': effect, requestBody, responses } = operation
  if (!Array.isArray(tags) || tags.length !== 1) yield 'one tag'
  if (effect === undefined) yield 'an "x-effect" of read, idempotent or once'
  if (!hasDaysOfDeprecation(operation))
    yield `the days of its deprecation, such as "x-deprecation: { since: '2026-12-01', sunset: '2027-06-01' }" (sunset if it is known, after since)`

  if (!hasExamples(contract, requestBody)) yield 'an example of its request body'
  const declared = listEntries(responses)
  const statuses = declared.map(([status]) => status)
  for (const [status, name] of Object.entries(RESPONSES_OF_EVERY_OPERATION))
    if (!statuses.includes(status))
      yield `a response ${status}, such as "'${status}': { $ref: ../responses.yaml#/${name} }"`
  for (const [status, response] of declared)
    if (!hasExamples(contract, response)) yield `an example of its ${status}`
}

/**
 * Whether a deprecated operation says since when it is deprecated, and optionally when it stops
 * working. An operation that is not deprecated must say neither.
 */
function hasDaysOfDeprecation({ deprecated, 'x-deprecation': days }: Node): boolean {
  if (deprecated !== true) return days === undefined
  if (!isNode(days)) return false

  const { since, sunset, ...unknownFields } = days
  if (Object.keys(unknownFields).length > 0) return false
  if (!isDay(since)) return false
  if (sunset === undefined) return true
  return isDay(sunset) && since < sunset
}

/** Whether a value is a day of the calendar, such as 2026-12-01. */
function isDay(value: unknown): value is string {
  const isWrittenAsDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  return isWrittenAsDay && !Number.isNaN(Date.parse(value))
}

/** Every media type of a body has examples. A body without a media type needs none. */
function hasExamples(contract: Node, body: unknown): boolean {
  const media = listEntries(resolveNode(contract, body).content)
  return media.every(([, type]) => isNode(type) && isNode(type.examples))
}
