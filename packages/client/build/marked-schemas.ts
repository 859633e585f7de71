import { marksOf, questionOf } from '@partner-payments/contract'
import { isNode } from '@partner-payments/spec/build'
import { type Node, readName } from './contract.ts'

/**
 * In a marked schema: the open question of the whole schema, or of each keyword that is an
 * assumption.
 */
const QUESTIONS = 'x-questions'

/** Keywords that do not constrain a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
  'discriminator',
  'contentEncoding',
  'contentMediaType',
])

/** Whether a keyword constrains a value. Extensions of OpenAPI (`x-…`) do not. */
function isConstraint(keyword: string): boolean {
  return !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-')
}

/**
 * Copies the schemas of the contract and sets on each node the open questions of its keywords. A
 * mark on a node applies to everything below it, so a schema that an assumption refers to is a
 * separate copy with its own name.
 */
export function markedSchemas(schemas: Readonly<Record<string, Node>>) {
  const marked: Record<string, Node> = {}
  return { marked, copyToName }

  /**
   * The name of a component's schema below an assumption about `question`. Copies the schema unless it
   * was copied before.
   */
  function copyToName(component: string, question: string | undefined): string {
    const node = schemas[component] ?? {}
    const hasOwnQuestion = questionOf(node) !== undefined
    const name = hasOwnQuestion || !question ? component : `${component}-${question}`
    if (!(name in marked)) {
      // So that a schema that refers to itself is copied once.
      marked[name] = {}
      marked[name] = copySchema(node, question)
    }
    return name
  }

  /** @param inherited the open question of a node above that is assumed as a whole */
  function copySchema(node: Node, inherited?: string): Node {
    const questionOfNode = questionOf(node) ?? inherited
    const questions = listKeywordQuestions(node)
    const schema: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(node)) {
      if (!isConstraint(keyword)) continue
      schema[keyword] = copyKeyword(keyword, value, questionOfNode ?? questions[keyword])
    }
    schema[QUESTIONS] = questionOfNode ?? { ...questions, ...listPresenceQuestions(node) }
    return withChoiceByType(schema)
  }

  function copyKeyword(keyword: string, value: unknown, question: string | undefined): unknown {
    if (keyword === '$ref') return `#/$defs/${copyToName(readName(`${value}`), question)}`
    if (keyword === 'items') return copySchema(value as Node, question)
    if (keyword === 'properties') return copyProperties(value as Record<string, Node>, question)
    if (keyword === 'oneOf' || keyword === 'anyOf' || keyword === 'allOf') {
      return (value as Node[]).map((branch) => copySchema(branch, question))
    }
    return value
  }

  function copyProperties(
    properties: Readonly<Record<string, Node>>,
    question: string | undefined,
  ) {
    const copies: Record<string, Node> = {}
    for (const [name, property] of Object.entries(properties)) {
      copies[name] = copySchema(property, question)
    }
    return copies
  }

  /**
   * The questions about the presence of properties, such as `{ 'required fee': 'fees' }`: `required`
   * is an assumption if the whole property is one.
   */
  function listPresenceQuestions({ required = [], properties = {} }: Node): Record<string, string> {
    const nodes = properties as Readonly<Record<string, Node>>
    const questions: Record<string, string> = {}
    for (const name of required as string[]) {
      const question = findPresenceQuestion(nodes[name] ?? {})
      if (question !== undefined) questions[`required ${name}`] = question
    }
    return questions
  }

  function findPresenceQuestion(property: Node): string | undefined {
    const question = questionOf(property, 'presence')
    if (question) return question

    const target = schemas[readName(`${property.$ref}`)]
    return target ? findPresenceQuestion(target) : undefined
  }

  /**
   * Rewrites `oneOf` and `anyOf` with branches of different types as a choice by type. Then only
   * the matching branch reports errors, and a value of another type is reported once.
   */
  function withChoiceByType(node: Node): Node {
    const { oneOf, anyOf, [QUESTIONS]: questions, ...otherKeywords } = node
    const branches = (anyOf ?? oneOf ?? []) as Node[]
    if (branches.length === 0 || otherKeywords.allOf) return node

    const types = new Set(branches.map(findType))
    const areDistinct = types.size === branches.length && !types.has(undefined)
    if (!areDistinct) return node

    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
    const allOf = branches.map((branch) => ({ if: { type: findType(branch) }, then: branch }))
    return { ...otherKeywords, type: [...types], allOf, [QUESTIONS]: toQuestionOfType(questions) }
  }

  function findType({ $ref, type }: Node): string | undefined {
    if ($ref) return findType(marked[readName(`${$ref}`)] ?? {})
    return typeof type === 'string' ? type : undefined
  }
}

/** The questions of single keywords. Ignores marks on keywords that the schema does not have. */
function listKeywordQuestions(node: Node): Readonly<Record<string, string>> {
  const questions: Record<string, string> = {}
  for (const { keyword = '', id } of marksOf(node)) {
    if (keyword in node) questions[keyword] = id
  }
  return questions
}

/** The question about `oneOf` or `anyOf` becomes one about `type`. */
function toQuestionOfType(questions: unknown): unknown {
  const isOfWholeSchema = !isNode(questions)
  if (isOfWholeSchema) return questions

  const { oneOf, anyOf = oneOf, ...others } = questions
  return anyOf === undefined ? others : { ...others, type: anyOf }
}
