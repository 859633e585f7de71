import type { Oas3Rule } from '@redocly/openapi-core'
import { readFacts } from '../facts.ts'
import { eachOperation } from '../operations.ts'

/** The operations, methods and paths must equal those of facts.yaml, byte for byte. */
export const operationList: Oas3Rule = ({
  operations = 'operations',
}: {
  operations?: 'operations' | 'guide'
}) => {
  const { facts, source } = readFacts()
  return {
    Root: {
      leave(root, ctx) {
        const missing = new Map(Object.entries(facts[operations]).map(([id, { call }]) => [id, call]))
        for (const { method, template, operation, location } of eachOperation(root, ctx)) {
          const id = String(operation.operationId)
          const call = `${method.toUpperCase()} ${template}`
          const fact = missing.get(id)
          missing.delete(id)
          if (fact === call) continue
          const message = fact
            ? `${id} must be "${fact}", got "${call}".`
            : `${id} (${call}) is not an operation of the document.`
          ctx.report({ message, location })
        }
        for (const [id, call] of missing) {
          const pointer = `#/${operations}/${id}`
          ctx.report({
            message: `The contract lacks ${id} (${call}).`,
            location: { source, pointer, reportOnKey: true },
          })
        }
      },
    },
  }
}
