import { isNode, type Node } from '../marks.ts'
import { entriesOf, operationsOf, pointerBelow, resolved } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * Every operation must have one tag, an effect, an example of each body, and the day of its
 * deprecation if it is deprecated. Redocly's rules want the rest.
 */
export const operationComplete: Rule = function* ({ contract }) {
  for (const { operation, at } of operationsOf(contract))
    for (const lack of lacks(contract, operation))
      yield {
        message: `The operation must have ${lack}; add it.`,
        at: pointerBelow(at, 'operationId'),
      }
}

function* lacks(contract: Node, operation: Node) {
  const { tags, 'x-effect': effect, requestBody, responses } = operation
  if (!Array.isArray(tags) || tags.length !== 1) yield 'one tag'
  if (effect === undefined) yield 'an "x-effect" of read, idempotent or once'
  if (!hasDaysOfDeprecation(operation))
    yield `the days of its deprecation, such as "x-deprecation: { since: '2026-12-01', sunset: '2027-06-01' }" (sunset if it is known)`

  if (!hasExamples(contract, requestBody)) yield 'an example of its request body'
  for (const [status, response] of entriesOf(responses))
    if (!hasExamples(contract, response)) yield `an example of its ${status}`
}

/** Whether it says since when it is deprecated, if it is, and maybe when it stops working. */
function hasDaysOfDeprecation({ deprecated, 'x-deprecation': days }: Node): boolean {
  if (deprecated !== true) return days === undefined
  if (!isNode(days)) return false

  const { since, sunset, ...others } = days
  const isEnd = sunset === undefined || (isDay(sunset) && String(since) < sunset)
  return isDay(since) && isEnd && Object.keys(others).length === 0
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isTime(value)
}

function isTime(value: string): boolean {
  return !Number.isNaN(Date.parse(value))
}

/** Every media type of a body has examples. A body without a media type needs none. */
function hasExamples(contract: Node, body: unknown): boolean {
  const media = entriesOf(resolved(contract, body).content)
  return media.every(([, type]) => isNode(type) && isNode(type.examples))
}
