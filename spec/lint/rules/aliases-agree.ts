import { dirname, join } from 'node:path'
import type { Oas3Rule } from '@redocly/openapi-core'
import { isNode, type Node } from '../marks.ts'
import { ALIAS_OF, eachOperation } from '../operations.ts'
import { readYaml } from '../read-yaml.ts'

/** Fields that an alias shares with its operation. The client and the checker read the effect from it. */
const SHARED = ['x-effect', 'x-echoes', 'tags', 'security']

/** Every operation of this document must be an alias of an operation of another document, with its method and effect. */
export const aliasesAgree: Oas3Rule = ({ of = 'openapi.yaml' }: { of?: string }) => ({
  Root: {
    leave(root, ctx) {
      const operations = operationsIn(join(dirname(ctx.location.source.absoluteRef), of))
      for (const { method, operation, location } of eachOperation(root, ctx)) {
        for (const message of disagreements(method, operation, operations)) ctx.report({ message, location })
      }
    },
  },
})

interface Aliased {
  readonly method: string
  readonly operation: Node
}

function* disagreements(method: string, operation: Node, operations: ReadonlyMap<string, Aliased>) {
  const id = String(operation[ALIAS_OF])
  const aliased = operations.get(id)
  if (!aliased) {
    yield `"${ALIAS_OF}" must name an operation, got "${id}".`
    return
  }
  if (method !== aliased.method) yield `The method must be that of ${id}, ${aliased.method}, got ${method}.`
  for (const name of SHARED) {
    const [expected, got] = [aliased.operation[name], operation[name]].map((it) => JSON.stringify(it))
    if (expected !== got) yield `"${name}" must be that of ${id}, ${expected}, got ${got}.`
  }
}

/** The operations of a root whose paths are references, by operationId. */
function operationsIn(file: string): Map<string, Aliased> {
  const { paths = {} } = readYaml<{ paths?: Readonly<Record<string, unknown>> }>(file).value
  const items = Object.values(paths).map((item) => followed(item, dirname(file)))
  const entries = items.flatMap((item) => Object.entries(isNode(item) ? item : {}))
  return new Map(
    entries.flatMap(([method, operation]) =>
      isNode(operation) ? [[String(operation.operationId), { method, operation }] as const] : [],
    ),
  )
}

function followed(item: unknown, folder: string): unknown {
  if (!isNode(item) || typeof item.$ref !== 'string') return item
  const [name = '', key = ''] = item.$ref.split('#/')
  return readYaml<Node>(join(folder, name)).value[key]
}
