import { type Contract, isNode, type Node, resolve } from './contract.ts'
import { type Mark, ownMarks, wholeMark } from './marks.ts'

/** Marks of the node, of what it refers to, and of the schema that Redoc shows as one with it. */
export function marksThrough(node: Node, contract: Contract): Mark[] {
  const target = typeof node.$ref === 'string' ? marksThrough(resolve(contract, node.$ref), contract) : []
  const own = ownMarks(node)
  const others = [...target, ...schemaMarks(node, contract)]
  // A description says what the target says as well, so the assumptions of both count.
  const isOverridden = ({ keyword }: Mark) =>
    keyword !== 'meaning' && own.some((mark) => mark.keyword === keyword)
  return [...others.filter((mark) => !isOverridden(mark)), ...own]
}

/** What the node says of itself, or else what it refers to says. */
export function textOf(node: Node, contract: Contract): unknown {
  if (node.description || typeof node.$ref !== 'string') return node.description
  return textOf(resolve(contract, node.$ref), contract)
}

/**
 * Replaces a reference by its target where Redoc would lose something: keywords beside a reference that another one leads
 * to, and the marks of a shared schema that is assumed here and a fact elsewhere.
 */
export function flatten(node: Node, contract: Contract, isAssumed: boolean): void {
  const { $ref, ...own } = node
  if (typeof $ref !== 'string') return
  const target = resolve(contract, $ref)
  if (Object.keys(own).length === 0 && (!isAssumed || wholeMark(target))) return
  delete node.$ref
  const title = target.type === 'object' ? { title: $ref.split('/').at(-1) } : {}
  Object.assign(node, structuredClone(target), title, own)
  flatten(node, contract, isAssumed)
}

/** Redoc leaves out what the schema of a parameter says, and what the outermost schema of a body says. */
function schemaMarks(node: Node, contract: Contract): Mark[] {
  if (node.in && isNode(node.schema)) return marksThrough(node.schema, contract)
  const [media] = isNode(node.content) ? Object.values(node.content) : []
  if (!isNode(media) || !isNode(media.schema)) return []
  const marks = marksThrough(media.schema, contract).filter(({ keyword }) => keyword !== 'discriminator')
  return marks.map((mark) => ({ ...mark, keyword: mark.keyword ?? 'content' }))
}
