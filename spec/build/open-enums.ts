import { isNode, type Node } from '../lint/marks.ts'

/** Set on a schema whose enum may get new values. */
export const OPEN = 'x-open-enum'

/**
 * Copies a bundled contract and sets OPEN on every enum in a response or delivery. The rule enums-apart ensures that no
 * request uses the same enum.
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
