import type { Node } from '../marks.ts'
import { listOperations, pointerBelow, reachableNodes } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * No enum may be used in both requests and responses. Request enums are closed; response enums may
 * get new values, and the generated types differ accordingly.
 */
export const enumsApart: Rule = function* ({ contract }) {
  const received = findEnums(contract, 'responses')
  for (const at of findEnums(contract, 'requestBody'))
    if (received.has(at))
      yield { message: 'This enum is in a request and in a response; write one for each.', at }
}

/** The pointers of the enums in the request bodies, or in the responses, of all operations. */
function findEnums(contract: Node, part: 'requestBody' | 'responses'): Set<string> {
  const places = new Set<string>()
  for (const { operation, at } of listOperations(contract)) {
    const nodes = reachableNodes(contract, operation[part], pointerBelow(at, part))
    for (const { node, at: place } of nodes) if (Array.isArray(node.enum)) places.add(place)
  }
  return places
}
