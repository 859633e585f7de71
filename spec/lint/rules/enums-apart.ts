import type { Node } from '../marks.ts'
import { below, operationsOf, reached } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * No enum may be used in both requests and responses. Request enums are closed; response enums may
 * get new values, and the generated types differ accordingly.
 */
export const enumsApart: Rule = function* ({ contract }) {
  const operations = operationsOf(contract)
  const enumsIn = (part: 'requestBody' | 'responses') =>
    new Set(operations.flatMap((it) => enumsOf(contract, it.operation[part], below(it.at, part))))
  const received = enumsIn('responses')
  for (const at of enumsIn('requestBody'))
    if (received.has(at))
      yield { message: 'This enum is in a request and in a response; write one for each.', at }
}

function enumsOf(contract: Node, value: unknown, at: string): string[] {
  return [...reached(contract, value, at)].flatMap((it) =>
    Array.isArray(it.node.enum) ? it.at : [],
  )
}
