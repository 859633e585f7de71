import { isNode, marksOf } from '@partner-payments/spec/build'
import { type Node, nameIn } from './contract.ts'

/**
 * In a marked schema: the open question of the whole schema, or of each keyword that is an
 * assumption.
 */
const QUESTIONS = 'x-questions'

/** Keywords that do not constrain a value. */
const ANNOTATIONS =
  /^(x-.*|title|description|examples?|default|deprecated|discriminator|contentEncoding|contentMediaType)$/

/**
 * Copies the schemas of the contract and sets on each node the open questions of its keywords. A
 * mark on a node applies to everything below it, so a schema that an assumption refers to is a
 * separate copy with its own name.
 */
export function markedSchemas(schemas: Readonly<Record<string, Node>>) {
  const marked: Record<string, Node> = {}
  return { marked, nameOf }

  /** The name of a component's schema below an assumption about `question`. */
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
    const constraints = Object.entries(node).filter(([keyword]) => !ANNOTATIONS.test(keyword))
    const schema = constraints.map(([keyword, value]) => [
      keyword,
      keywordOf(keyword, value, whole ?? parts[keyword]),
    ])
    const questions = whole ?? { ...parts, ...absences(node) }
    return choiceByType({ ...Object.fromEntries(schema), [QUESTIONS]: questions })
  }

  function keywordOf(keyword: string, value: unknown, question: string | undefined): unknown {
    if (keyword === '$ref') return `#/$defs/${nameOf(nameIn(`${value}`), question)}`
    if (keyword === 'items') return schemaOf(value as Node, question)
    if (keyword === 'properties') {
      const properties = Object.entries(value as Record<string, Node>)
      return Object.fromEntries(
        properties.map(([name, property]) => [name, schemaOf(property, question)]),
      )
    }
    if (!['oneOf', 'anyOf', 'allOf'].includes(keyword)) return value
    return (value as Node[]).map((branch) => schemaOf(branch, question))
  }

  /** `required` is an assumption if the whole property is one. */
  function absences({ required = [], properties = {} }: Node): Record<string, string> {
    const nodes = properties as Readonly<Record<string, Node>>
    const questions = (required as string[]).map((name) => [
      `required ${name}`,
      presenceOf(nodes[name] ?? {}),
    ])
    return Object.fromEntries(questions.filter(([, question]) => question !== undefined))
  }

  function presenceOf(property: Node): string | undefined {
    const mark = marksOf(property).find(
      ({ keyword }) => keyword === undefined || keyword === 'presence',
    )
    const target = schemas[nameIn(`${property.$ref}`)]
    return mark?.id ?? (target ? presenceOf(target) : undefined)
  }

  /**
   * Rewrites `oneOf` and `anyOf` with branches of different types as a choice by type. Then only
   * the matching branch reports errors, and a value of another type is reported once.
   */
  function choiceByType(node: Node): Node {
    const { oneOf, anyOf = oneOf, [QUESTIONS]: questions, ...rest } = node
    const branches = (anyOf ?? []) as Node[]
    const types = new Set(branches.map(typeOf))
    if (types.size < branches.length || types.has(undefined) || !branches.length || rest.allOf)
      return node
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
    const allOf = branches.map((branch) => ({ if: { type: typeOf(branch) }, then: branch }))
    return { ...rest, type: [...types], allOf, [QUESTIONS]: typeAsked(questions) }
  }

  function typeOf({ $ref, type }: Node): string | undefined {
    if ($ref) return typeOf(marked[nameIn(`${$ref}`)] ?? {})
    return typeof type === 'string' ? type : undefined
  }
}

/** The questions of single keywords. Ignores marks on keywords that the schema does not have. */
function partsOf(node: Node): Readonly<Record<string, string>> {
  const parts = marksOf(node).map(({ keyword = '', id }) => [keyword, id] as const)
  return Object.fromEntries(parts.filter(([keyword]) => keyword in node))
}

/** The question about `oneOf` or `anyOf` becomes one about `type`. */
function typeAsked(questions: unknown): unknown {
  if (!isNode(questions)) return questions
  const { oneOf, anyOf = oneOf, ...rest } = questions
  return { ...rest, ...(anyOf !== undefined && { type: anyOf }) }
}

function wholeOf(node: Node): string | undefined {
  return marksOf(node).find(({ keyword }) => keyword === undefined)?.id
}
