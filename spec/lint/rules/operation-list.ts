import { operationsOf } from '../operations.ts'
import type { Rule } from '../rule.ts'

/** The operations, methods and paths must equal those of facts.yaml, byte for byte. */
export const operationList: Rule = function* ({ contract, root, facts }) {
  const { value, source } = facts
  const section = root === 'guide' ? 'guide' : 'operations'
  const missing = new Map(Object.entries(value[section]).map(([id, { call }]) => [id, call]))

  for (const { id, method, template, at } of operationsOf(contract)) {
    const call = `${method.toUpperCase()} ${template}`
    const fact = missing.get(id)
    missing.delete(id)
    if (fact === undefined)
      yield { message: `${id} (${call}) is not an operation of the document.`, at }
    else if (fact !== call) yield { message: `${id} must be "${fact}", got "${call}".`, at }
  }

  for (const [id, call] of missing)
    yield { message: `The contract lacks ${id} (${call}).`, at: `/${section}/${id}`, source }
}
