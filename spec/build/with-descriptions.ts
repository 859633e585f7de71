import { type DeclaredRefusal, viewsOf } from '../lint/behaviour/contract-view.ts'
import {
  ENUM_DESCRIPTIONS,
  ENUM_FROM,
  isNode,
  meaningOf,
  meaningsOf,
  type Node,
  sentencesOf,
} from '../lint/marks.ts'
import { chainOf } from '../lint/operations.ts'

/** Keywords with data, which contains no descriptions. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum', 'mapping', 'x-assumed'])

/**
 * Copies a bundled contract with complete descriptions, since most tools read nothing else:
 *
 * - facts, then "Assumed:" and the sentences of `x-assumed`, which stays for tools;
 * - the description of the target beside a reference;
 * - the refusals of an operation with their reasons, from spec/behaviour;
 * - for an enum with `x-enum-from`, the meaning of its values from spec/behaviour, in
 *   `x-enumDescriptions`.
 *
 * A node without sentences of its own stays as it is.
 */
export function withDescriptions(contract: Node, behaviour: Node): Node {
  const declared = new Map(viewsOf(contract).map(({ id, refusals }) => [id, refusals]))
  return copyOf(contract) as Node

  function copyOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copyOf)
    if (!isNode(value)) return value

    const copy: Record<string, unknown> = {}
    for (const [name, child] of Object.entries(value))
      copy[name] = DATA.has(name) ? child : copyOf(child)

    const description = descriptionOf(value)
    // Otherwise the old one stays: in `properties`, it is a field that is named `description`.
    if (description !== undefined) copy.description = description

    if (ENUM_FROM in value) copy[ENUM_DESCRIPTIONS] = meaningsOf(value, behaviour)
    return copy
  }

  function descriptionOf(node: Node): string | undefined {
    if (!isOperation(node)) return nodeDescription(node, contract)

    const refusals = declared.get(String(node.operationId))
    return operationDescription(node, refusalsOf(refusals, behaviour))
  }
}

/**
 * In paragraphs: facts first, then the assumptions and the refusals as lists. Undefined if the
 * operation has no sentence.
 */
function operationDescription(node: Node, refused: readonly string[]): string | undefined {
  const { stated, assumed } = sentencesOf(node)
  if (stated.length + assumed.length === 0) return undefined

  const parts = unique(stated)
  if (assumed.length > 0) parts.push(listOf('Assumed', unique(assumed)))
  if (refused.length > 0) parts.push(listOf('Refused (assumed)', refused))
  return parts.join('\n\n')
}

/**
 * In one line, with the sentences of what the node refers to. Facts first, so that a reader of the
 * text can distinguish them from assumptions. Undefined if the node has no sentence of its own.
 */
function nodeDescription(node: Node, contract: Node): string | undefined {
  const own = sentencesOf(node)
  if (own.stated.length + own.assumed.length === 0) return undefined

  const chain = [...chainOf(contract, node)].map(sentencesOf)
  const facts = unique(chain.flatMap(({ stated }) => stated))
  const assumptions = unique(chain.flatMap(({ assumed }) => assumed))
  if (assumptions.length === 0) return facts.join(' ')
  return [...facts, 'Assumed:', ...assumptions].join(' ')
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function listOf(title: string, texts: readonly string[]): string {
  const items = texts.map((text) => `- ${text}`)
  return `${title}:\n\n${items.join('\n')}`
}

/** A link also has an operationId. */
function isOperation(node: Node): boolean {
  return 'operationId' in node && 'responses' in node
}

/**
 * Statuses of refusals because of the content of a request, not its syntax, its token or the
 * service.
 */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([
  403, // the caller may not act for this user
  404, // nothing has this id
  409, // the state of the record does not allow it, or a value was used before
  422, // a value is well-formed, but not acceptable
])

/** The refusals of an operation with their reasons. Every refusal is an assumption. */
function refusalsOf(declared: readonly DeclaredRefusal[] = [], behaviour: Node): string[] {
  const catalogue = isNode(behaviour.refusals) ? behaviour.refusals : {}
  const refusals = declared.filter(({ status }) => CONTENT_STATUSES.has(status))
  return refusals.map(
    ({ code, status }) => `\`${code}\` (${status}): ${meaningOf(catalogue[code])}`,
  )
}
