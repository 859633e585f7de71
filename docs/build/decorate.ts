import type { Behaviour } from '@partner-payments/spec/behaviour'
import {
  type Contract,
  eventsOf,
  isNode,
  type Node,
  type Operation,
  operationsOf,
  resolve,
} from './contract.ts'
import { type Mark, type Questions, wholeMark } from './marks.ts'
import { explainEvent, explainOperation } from './operationNotes.ts'
import { basisTag, pills } from './pills.ts'
import { flatten, marksThrough, textOf } from './references.ts'
import { jsonOf, requestExamples, type Sample } from './samples.ts'
import { markSchemes } from './schemes.ts'

/** What a copy of the contract is decorated with. */
export interface Decoration {
  readonly questions: Questions
  readonly behaviour: Behaviour
  readonly samples: Map<string, Sample[]>
}

/**
 * A copy of the contract that marks its assumptions for Redoc, which shows no extensions. The description of a marked node
 * links to its open question, and every property below a node that is assumed as a whole has a badge.
 */
export function decorate(contract: Contract, { questions, behaviour, samples }: Decoration): Contract {
  const copy = structuredClone(contract)
  explain(copy, { contract, copy, questions })
  copy.info.description = paragraphs(LEGEND, copy.info.description)
  copy.servers = serversOf(contract)
  markSchemes(copy)
  for (const { path, node } of eventsOf(copy)) {
    explainEvent(node, wholeMark(contract.webhooks[path]) ?? '', questions)
  }
  for (const operation of operationsOf(copy)) {
    const { node } = operation
    explainOperation(operation, contract, { questions, behaviour })
    const shown = samples.get(node.operationId) ?? []
    node['x-codeSamples'] = shown
    keepExample(operation, contract, shown)
  }
  return copy
}

/** Redoc has one sample for all examples, so it shows the example that the samples send. Pages of operations have the others. */
function keepExample(operation: Operation, contract: Contract, samples: readonly Sample[]): void {
  const media = jsonOf(operation.node)
  const sent = requestExamples(operation, contract, samples).find(({ isSample }) => isSample)
  if (media?.examples && sent) media.examples = { [sent.name]: media.examples[sent.name] }
}

const LEGEND = `**How to read this page.** A statement without a mark is a fact. A small mark leads to an
[open question](open-questions.html): the document is silent, and the contract makes an assumption. Select *Show
assumptions* at the top to see the basis of each: *standard* follows a named standard, not yet confirmed against the
service; *assumed* is our choice; *open* makes no assumption. A word after the colon names the part that is assumed.`

/** Redoc takes an address that begins with a variable for a path of its own page. */
function serversOf(contract: Contract): Contract['servers'] {
  return contract.servers.map(({ url, description, variables = {} }) => ({
    url: url.replaceAll(/\{(\w+)\}/g, (_, name) => variables[name]?.default ?? name),
    description,
  }))
}

/** `assumed` is the open question of a node above that is assumed as a whole. */
type Context = { contract: Contract; copy: Contract; questions: Questions; assumed?: string | undefined }

/** Keywords that hold data or names rather than statements of the contract. */
const DATA = new Set(['example', 'examples', 'enum', 'default', 'const', 'mapping', 'required', 'links'])

/** Keywords whose children Redoc lists line by line, each with room for a badge. */
const LISTS = new Set(['properties', 'parameters', 'headers'])

function explain(value: unknown, context: Context): void {
  if (Array.isArray(value)) for (const child of value) explain(child, context)
  if (!isNode(value)) return
  if (!value.operationId) describe(value, context)
  const below = { ...context, assumed: wholeMark(value) ?? context.assumed }
  for (const [key, child] of Object.entries(value)) {
    if (DATA.has(key) || key.startsWith('x-')) continue
    if (LISTS.has(key)) for (const property of Object.values(child as Node)) badge(property, below)
    explain(child, below)
  }
}

function describe(node: Node, { contract, copy, questions, assumed }: Context): void {
  const marks: Mark[] = marksThrough(node, contract)
  const text = textOf(node, contract)
  flatten(node, contract, assumed !== undefined)
  const more = guideLink(node)
  // A bare reference shows the words of its target.
  if (node.$ref || (marks.length === 0 && !more)) return
  node.description = paragraphs(text, more, pills(marks, questions))
  for (const shown of shownFor(node, copy))
    shown.description = paragraphs(node.description, shown.description)
}

/** Leads from a field to the guide that explains it. */
function guideLink({ 'x-guide': guide }: Node): string {
  if (typeof guide !== 'string') return ''
  return `[Learn more](guides/${guide.replace(/^[^#]+/, '$&.html')})`
}

function paragraphs(...texts: unknown[]): string {
  return texts.filter(Boolean).join('\n\n')
}

/** Redoc never shows the description of a choice, so its alternatives or its discriminator carry the text. */
function shownFor(node: Node, copy: Contract): Node[] {
  const alternatives = [node.anyOf, node.oneOf].flat().filter(isNode)
  if (!isNode(node.discriminator)) return alternatives
  const name = String(node.discriminator.propertyName)
  return alternatives.flatMap(({ $ref }) => propertiesOf(resolve(copy, String($ref)), name))
}

function propertiesOf(schema: Node, name: string): Node[] {
  const parts = [schema, schema.allOf].flat().filter(isNode)
  return parts.map(({ properties }) => isNode(properties) && properties[name]).filter(isNode)
}

/** A property with a mark of its own says so in its description. */
function badge(property: unknown, { contract, questions, assumed }: Context): void {
  if (!isNode(property) || !assumed) return
  const target = typeof property.$ref === 'string' ? resolve(contract, property.$ref) : property
  if (wholeMark(target)) return
  Object.assign(property, { 'x-badges': [basisTag(questions[assumed]?.basis)] })
}
