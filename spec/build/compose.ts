import { isNode, type Node } from '../lint/marks.ts'
import { valueAt } from '../lint/pointer.ts'
import { ENUM_DESCRIPTIONS, ENUM_FROM, meaningOf, sentencesOf } from '../lint/prose.ts'
import type { Contract } from './check.ts'

/** Fields that hold data, whose own fields are no places for descriptions. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum', 'mapping', 'x-assumed'])

/**
 * A copy of a bundled contract whose descriptions are whole, since tools read nothing else:
 *
 * - facts, then the sentences of `x-assumed`, which stays to tell them apart;
 * - beside a reference, what the schema that it refers to says as well;
 * - for an enum with `x-enum-from`, the meaning of its values from spec/behaviour, in `x-enumDescriptions`.
 */
export function composed(contract: Contract, behaviour: Node): Contract {
  const compose = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(compose)
    if (!isNode(value)) return value
    const below = Object.entries(value).map(([name, it]) => [name, DATA.has(name) ? it : compose(it)])
    const description = descriptionOf(value, contract)
    return {
      ...Object.fromEntries(below),
      ...(description !== undefined && { description }),
      ...meaningsOf(value, behaviour),
    }
  }
  return compose(contract) as Contract
}

function descriptionOf(node: Node, contract: Contract): string | undefined {
  const own = sentencesOf(node)
  if (own.length === 0) return undefined
  const target = typeof node.$ref === 'string' ? valueAt(contract, node.$ref) : undefined
  const shared = isNode(target) ? allSentencesOf(target, contract) : []
  return joined([...own, ...shared], 'operationId' in node)
}

function allSentencesOf(node: Node, contract: Contract): string[] {
  const target = typeof node.$ref === 'string' ? valueAt(contract, node.$ref) : undefined
  return [...sentencesOf(node), ...(isNode(target) ? allSentencesOf(target, contract) : [])]
}

/** One paragraph, unless a text has several. */
function joined(texts: readonly string[], isOperation: boolean): string {
  const parts = [...new Set(texts.map((text) => text.trim()))]
  return parts.join(isOperation || parts.some((text) => text.includes('\n')) ? '\n\n' : ' ')
}

function meaningsOf(node: Node, behaviour: Node): Node {
  const entries = typeof node[ENUM_FROM] === 'string' ? valueAt(behaviour, node[ENUM_FROM]) : undefined
  if (!isNode(entries) || !Array.isArray(node.enum)) return {}
  const meanings = node.enum.map((value) => [value, meaningOf(entries[String(value)])])
  return { [ENUM_DESCRIPTIONS]: Object.fromEntries(meanings) }
}
