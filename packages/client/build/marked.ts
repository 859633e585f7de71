import { isNode, marksOf } from '@partner-payments/spec/build'
import type { Node } from './contract.ts'

/** In a marked schema: the open question of all its keywords, or of each that is an answer of ours. */
const QUESTIONS = 'x-questions'

/** What says nothing about a value. */
const ANNOTATIONS =
  /^(x-.*|title|description|examples?|default|deprecated|discriminator|contentEncoding|contentMediaType)$/

/**
 * Schemas of the contract in which every node tells the open questions of its own keywords. A mark on a node is one
 * on all below it, so a schema that is referred to from an answer of ours is another one than the same schema
 * elsewhere, and has another name.
 */
export function markedSchemas(schemas: Readonly<Record<string, Node>>) {
  const marked: Record<string, Node> = {}
  return { marked, nameOf }

  /** The name of a component's schema below an answer to `question`. */
  function nameOf(component: string, question: string | undefined): string {
    const node = schemas[component] ?? {}
    const name = wholeOf(node) || !question ? component : `${component}-${question}`
    if (!(name in marked)) {
      marked[name] = {}
      marked[name] = schemaOf(node, question)
    }
    return name
  }

  function schemaOf(node: Node, inherited?: string): Node {
    const whole = wholeOf(node) ?? inherited
    const parts = partsOf(node)
    const kept = Object.entries(node).filter(([keyword]) => !ANNOTATIONS.test(keyword))
    const schema = kept.map(([keyword, value]) => [
      keyword,
      keywordOf(keyword, value, whole ?? parts[keyword]),
    ])
    const questions = whole ?? { ...parts, ...absences(node) }
    return choiceByType({ ...Object.fromEntries(schema), [QUESTIONS]: questions })
  }

  function keywordOf(keyword: string, value: unknown, question: string | undefined): unknown {
    if (keyword === '$ref') return `#/$defs/${nameOf(componentOf(value), question)}`
    if (keyword === 'items') return schemaOf(value as Node, question)
    if (keyword === 'properties') {
      const members = Object.entries(value as Record<string, Node>)
      return Object.fromEntries(members.map(([name, member]) => [name, schemaOf(member, question)]))
    }
    if (!['oneOf', 'anyOf', 'allOf'].includes(keyword)) return value
    return (value as Node[]).map((branch) => schemaOf(branch, question))
  }

  /** Whether a member must be there is ours where all of the member is. */
  function absences({ required = [], properties = {} }: Node): Record<string, string> {
    const members = properties as Readonly<Record<string, Node>>
    const asked = (required as string[]).map((name) => [`required ${name}`, presenceOf(members[name] ?? {})])
    return Object.fromEntries(asked.filter(([, question]) => question !== undefined))
  }

  function presenceOf(member: Node): string | undefined {
    const said = marksOf(member).find(({ keyword }) => keyword === undefined || keyword === 'presence')
    const target = schemas[componentOf(member.$ref)]
    return said?.id ?? (target ? presenceOf(target) : undefined)
  }

  /**
   * `oneOf` and `anyOf` whose branches differ by type, as a choice by type: then only the branch that is meant says
   * what is wrong with a value, and a value of another type is told once.
   */
  function choiceByType(node: Node): Node {
    const { oneOf, anyOf = oneOf, [QUESTIONS]: questions, ...rest } = node
    const branches = (anyOf ?? []) as Node[]
    const types = new Set(branches.map(typeOf))
    if (types.size < branches.length || types.has(undefined) || !branches.length || rest.allOf) return node
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
    const allOf = branches.map((branch) => ({ if: { type: typeOf(branch) }, then: branch }))
    return { ...rest, type: [...types], allOf, [QUESTIONS]: typeAsked(questions) }
  }

  function typeOf({ $ref, type }: Node): string | undefined {
    if ($ref) return typeOf(marked[String($ref).replace('#/$defs/', '')] ?? {})
    return typeof type === 'string' ? type : undefined
  }
}

/** The questions of single keywords; one on what no keyword says is not asked of an answer. */
function partsOf(node: Node): Readonly<Record<string, string>> {
  const parts = marksOf(node).map(({ keyword = '', id }) => [keyword, id] as const)
  return Object.fromEntries(parts.filter(([keyword]) => keyword in node))
}

/** Which types there are was a question of the choice. */
function typeAsked(questions: unknown): unknown {
  if (!isNode(questions)) return questions
  const { oneOf, anyOf = oneOf, ...rest } = questions
  return { ...rest, ...(anyOf !== undefined && { type: anyOf }) }
}

function wholeOf(node: Node): string | undefined {
  return marksOf(node).find(({ keyword }) => keyword === undefined)?.id
}

function componentOf(ref: unknown): string {
  return String(ref).replace('#/components/schemas/', '')
}
