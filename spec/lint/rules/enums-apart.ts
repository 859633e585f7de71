import { isNode, type Node } from '../marks.ts'
import { below, operationsOf, resolvedAt } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * No enum may be used in both requests and responses. Request enums are closed; response enums may get new values, and
 * the generated types differ accordingly.
 */
export const enumsApart: Rule = function* ({ contract }) {
  const sent = new Set<string>()
  const received = new Set<string>()
  for (const { operation, at } of operationsOf(contract)) {
    collect(contract, operation.requestBody, below(at, 'requestBody'), sent)
    collect(contract, operation.responses, below(at, 'responses'), received)
  }
  for (const at of sent)
    if (received.has(at))
      yield { message: 'This enum is in a request and in a response; write one for each.', at }
}

/** The pointers of all enums at or below a value, including references. */
function collect(
  contract: Node,
  value: unknown,
  at: string,
  found: Set<string>,
  seen = new Set<object>(),
): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (isNode(value)) {
    if (Array.isArray(value.enum)) found.add(at)
    const target = resolvedAt(contract, value, at)
    collect(contract, target.node, target.at, found, seen)
  }
  for (const [name, child] of Object.entries(value))
    if (name !== 'examples') collect(contract, child, below(at, name), found, seen)
}
