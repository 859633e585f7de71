import { isNode, type Node } from '../lint/marks.ts'

/** Set on a schema whose enum may grow. */
export const OPEN = 'x-open-enum'

/**
 * A copy of a bundled contract in which every enum that a client may receive, in a response or a delivery,
 * carries OPEN. The rule enums-apart sees to it that none of these is sent as well.
 */
export function openEnums(contract: unknown): Node {
  const copy = structuredClone(contract) as Node
  const seen = new Set<Node>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value) || seen.has(value)) return
    seen.add(value)
    if (Array.isArray(value.enum)) Object.assign(value, { [OPEN]: true })
    if (typeof value.$ref === 'string') visit(at(copy, value.$ref))
    Object.values(value).forEach(visit)
  }
  for (const operation of operationsOf(copy.paths)) visit(operation.responses)
  for (const operation of operationsOf(copy.webhooks)) visit(operation.requestBody)
  return copy
}

function operationsOf(items: unknown): Node[] {
  return Object.values(items ?? {}).flatMap((item) => Object.values(item as Node).filter(isNode))
}

function at(contract: Node, ref: string): unknown {
  const steps = ref.replace('#/', '').split('/')
  return steps.reduce<unknown>((node, step) => (isNode(node) ? node[step] : undefined), contract)
}
