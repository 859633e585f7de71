import { valueAt } from '@partner-payments/text'
import { type DeclaredRefusal, viewsOf } from '../lint/behaviour/contract-view.ts'
import { ENUM_DESCRIPTIONS, ENUM_FROM, isNode, meaningOf, type Node, sentencesOf } from '../lint/marks.ts'
import type { Contract } from './check.ts'

/** Keywords with data, which contains no descriptions. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum', 'mapping', 'x-assumed'])

/**
 * Copies a bundled contract with complete descriptions, since most tools read nothing else:
 *
 * - facts, then "Assumed:" and the sentences of `x-assumed`, which stays for tools;
 * - the description of the target beside a reference;
 * - the refusals of an operation with their reasons, from spec/behaviour;
 * - for an enum with `x-enum-from`, the meaning of its values from spec/behaviour, in `x-enumDescriptions`.
 */
export function composed(contract: Contract, behaviour: Node): Contract {
  const refusals = new Map(viewsOf(contract).map((operation) => [operation.id, operation.refusals]))
  const compose = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(compose)
    if (!isNode(value)) return value
    const below = Object.entries(value).map(([name, it]) => [name, DATA.has(name) ? it : compose(it)])
    const refused = isOperation(value) ? refusalsOf(refusals.get(String(value.operationId)), behaviour) : []
    const description = descriptionOf(value, contract, refused)
    return {
      ...Object.fromEntries(below),
      ...(description !== undefined && { description }),
      ...meaningsOf(value, behaviour),
    }
  }
  return compose(contract) as Contract
}

/** Facts first, so that a reader of the text can distinguish them from assumptions. */
function descriptionOf(node: Node, contract: Contract, refused: readonly string[]): string | undefined {
  const { stated, assumed } = sentencesOf(node)
  if (stated.length + assumed.length === 0) return undefined
  const all = [...chainOf(node, contract)].map(sentencesOf)
  const facts = unique(all.flatMap((it) => it.stated))
  const assumptions = unique(all.flatMap((it) => it.assumed))
  return isOperation(node)
    ? [...facts, ...listed('Assumed', assumptions), ...listed('Refused (assumed)', refused)].join('\n\n')
    : [...facts, ...(assumptions.length > 0 ? ['Assumed:', ...assumptions] : [])].join(' ')
}

/** A node and the chain of components that it refers to. */
export function* chainOf(node: Node, contract: Node): Generator<Node> {
  yield node
  const target = typeof node.$ref === 'string' ? valueAt(contract, node.$ref) : undefined
  if (isNode(target)) yield* chainOf(target, contract)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function listed(title: string, texts: readonly string[]): string[] {
  return texts.length > 0 ? [`${title}:\n\n${texts.map((text) => `- ${text}`).join('\n')}`] : []
}

/** A link also has an operationId. */
function isOperation(node: Node): boolean {
  return 'operationId' in node && 'responses' in node
}

/** Statuses of refusals because of the content of a request, not its syntax, its token or the service. */
const TELLING = new Set([403, 404, 409, 422])

/** The refusals of an operation with their reasons. Every refusal is an assumption. */
function refusalsOf(declared: readonly DeclaredRefusal[] = [], { refusals }: Node): string[] {
  return declared
    .filter(({ status }) => TELLING.has(status))
    .map(({ code, status }) => `\`${code}\` (${status}): ${meaningOf(isNode(refusals) && refusals[code])}`)
}

function meaningsOf(node: Node, behaviour: Node): Node {
  const entries = typeof node[ENUM_FROM] === 'string' ? valueAt(behaviour, node[ENUM_FROM]) : undefined
  if (!isNode(entries) || !Array.isArray(node.enum)) return {}
  const meanings = node.enum.map((value) => [value, meaningOf(entries[String(value)])])
  return { [ENUM_DESCRIPTIONS]: Object.fromEntries(meanings) }
}
