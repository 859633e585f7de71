import { type Contract, eventsOf, isNode, type Node, operationsOf, resolve } from './contract.ts'
import { type Mark, ownMarks, type Questions } from './marks.ts'
import { explainEvent, explainOperation } from './operationNotes.ts'
import { answerTag, pills } from './pills.ts'

/** A request as a reader would send it; Redoc shows one tab per sample. */
export type Sample = { lang: string; label: string; source: string }

/**
 * A copy of the contract that shows a reader which of it is our answer, since Redoc prints no extension of its own
 * accord: a marked node says so in its description, with a link to the question, and every member below a node
 * that is wholly our answer wears a badge.
 */
export function decorate(contract: Contract, questions: Questions, samples: Map<string, Sample[]>): Contract {
  const copy = structuredClone(contract)
  explain(copy, { contract, copy, questions })
  markSchemes(copy)
  for (const { path, node } of eventsOf(copy)) {
    explainEvent(node, wholeMark(contract.webhooks[path]) ?? '', questions)
  }
  for (const { node } of operationsOf(copy)) {
    explainOperation(node, contract, questions)
    node['x-codeSamples'] = samples.get(node.operationId) ?? []
  }
  return copy
}

/** `answer` is the question that the nodes above have answered as a whole, if any. */
type Context = { contract: Contract; copy: Contract; questions: Questions; answer?: string | undefined }

/** Members that hold data or names rather than statements of the contract. */
const DATA = new Set(['example', 'examples', 'enum', 'default', 'const', 'mapping', 'required', 'links'])

/** Members whose children Redoc lists line by line, each with room for a badge. */
const LISTS = new Set(['properties', 'parameters', 'headers'])

function explain(value: unknown, context: Context): void {
  if (Array.isArray(value)) for (const child of value) explain(child, context)
  if (!isNode(value)) return
  if (!value.operationId) describe(value, context)
  const below = { ...context, answer: wholeMark(value) ?? context.answer }
  for (const [key, child] of Object.entries(value)) {
    if (DATA.has(key) || key.startsWith('x-')) continue
    if (LISTS.has(key)) for (const member of Object.values(child as Node)) badge(member, below)
    explain(child, below)
  }
}

function describe(node: Node, context: Context): void {
  const marks = marksThrough(node, context.contract)
  const text = textOf(node, context.contract)
  flatten(node, context)
  // A bare reference shows the words of its target.
  if (node.$ref || marks.length === 0) return
  node.description = paragraphs(text, pills(marks, context.questions))
  for (const shown of shownFor(node, context.copy)) {
    shown.description = paragraphs(node.description, shown.description)
  }
}

function paragraphs(...texts: unknown[]): string {
  return texts.filter(Boolean).join('\n\n')
}

/** Of a choice Redoc shows what the alternatives say, or the member that tells them apart, never the choice itself. */
function shownFor(node: Node, copy: Contract): Node[] {
  const alternatives = [node.anyOf, node.oneOf].flat().filter(isNode)
  if (!isNode(node.discriminator)) return alternatives
  const name = String(node.discriminator.propertyName)
  return alternatives.flatMap(({ $ref }) => membersOf(resolve(copy, String($ref)), name))
}

function membersOf(schema: Node, name: string): Node[] {
  const parts = [schema, schema.allOf].flat().filter(isNode)
  return parts.map(({ properties }) => isNode(properties) && properties[name]).filter(isNode)
}

/**
 * Puts the target in the place of a reference where Redoc would lose something: what stands beside a reference that
 * another one leads to, and that the members of a shared schema, facts elsewhere, are our answer here.
 */
function flatten(node: Node, context: Context): void {
  const { $ref, ...own } = node
  if (typeof $ref !== 'string') return
  const target = resolve(context.contract, $ref)
  if (Object.keys(own).length === 0 && (!context.answer || wholeMark(target))) return
  delete node.$ref
  const title = target.type === 'object' ? { title: $ref.split('/').at(-1) } : {}
  Object.assign(node, structuredClone(target), title, own)
  flatten(node, context)
}

/** Marks of the node, of what it refers to, and of the schema that Redoc shows as one with it. */
function marksThrough(node: Node, contract: Contract): Mark[] {
  const target = typeof node.$ref === 'string' ? marksThrough(resolve(contract, node.$ref), contract) : []
  const own = ownMarks(node)
  const others = [...target, ...schemaMarks(node, contract)].filter(({ keyword }) =>
    own.every((mark) => mark.keyword !== keyword),
  )
  return [...others, ...own]
}

/** Redoc leaves out what the schema of a parameter says, and what the outermost schema of a body says. */
function schemaMarks(node: Node, contract: Contract): Mark[] {
  if (node.in && isNode(node.schema)) return marksThrough(node.schema, contract)
  const [media] = isNode(node.content) ? Object.values(node.content) : []
  if (!isNode(media) || !isNode(media.schema)) return []
  const marks = marksThrough(media.schema, contract).filter(({ keyword }) => keyword !== 'discriminator')
  return marks.map((mark) => ({ ...mark, keyword: mark.keyword ?? 'content' }))
}

function textOf(node: Node, contract: Contract): unknown {
  if (node.description || typeof node.$ref !== 'string') return node.description
  return textOf(resolve(contract, node.$ref), contract)
}

function wholeMark(node: Node | undefined): string | undefined {
  const mark = node?.['x-open-question']
  return typeof mark === 'string' ? mark : undefined
}

/** A member that is itself marked as a whole says so in its description. */
function badge(member: unknown, { contract, questions, answer }: Context): void {
  if (!isNode(member) || !answer) return
  const target = typeof member.$ref === 'string' ? resolve(contract, member.$ref) : member
  if (!wholeMark(target)) member['x-badges'] = [answerTag(questions[answer]?.basis)]
}

/** Redoc names a security scheme without its description, so the name has to say it. */
function markSchemes(copy: Contract): void {
  const schemes = copy.components.securitySchemes ?? {}
  for (const [name, scheme] of Object.entries(schemes)) {
    if (!wholeMark(scheme)) continue
    const marked = `${name} (our answer)`
    schemes[marked] = scheme
    delete schemes[name]
    rename(copy.security, name, marked)
    for (const { node } of operationsOf(copy)) rename(node.security, name, marked)
  }
}

function rename(choices: unknown, from: string, to: string): void {
  for (const choice of (choices ?? []) as Node[]) {
    if (!(from in choice)) continue
    choice[to] = choice[from]
    delete choice[from]
  }
}
