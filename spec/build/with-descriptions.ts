import { fieldsOf } from '@partner-payments/contract'
import { createViews, type DeclaredRefusal } from '../lint/behaviour/contract-view.ts'
import {
  ENUM_DESCRIPTIONS,
  ENUM_FROM,
  isNode,
  listSentences,
  type Node,
  readMeaning,
  readMeanings,
  type Sentences,
} from '../lint/marks.ts'
import { followChain } from '../lint/operations.ts'
import { isObserved, type Register } from '../lint/register.ts'
import { WORDS } from './description-words.ts'

/** Keywords with data: a `description` in it is a value, and must not change. */
const DATA_KEYWORDS = new Set([
  'example',
  'examples',
  'default',
  'const',
  'enum',
  'mapping',
  'x-assumed',
])

/**
 * Copies a bundled contract with complete descriptions, since most tools read nothing else:
 *
 * - facts, then "Assumed:" and the sentences of `x-assumed`, which stays for tools; of questions
 *   whose answer a service showed, after "Observed:" instead;
 * - the description of the target beside a reference;
 * - the refusals of an operation with their reasons, from spec/behaviour;
 * - for an enum with `x-enum-from`, the meaning of its values from spec/behaviour, in
 *   `x-enumDescriptions`.
 *
 * A node without sentences of its own stays as it is.
 */
export function withDescriptions(contract: Node, behaviour: Node, register: Register): Node {
  const readSentences = (node: Node) => listSentences(node, (id) => isObserved(id, register))
  const refusalsById = new Map(createViews(contract).map(({ id, refusals }) => [id, refusals]))
  return copyDescribed(contract) as Node

  /** A copy of a node and of all below it, with the complete descriptions. */
  function copyDescribed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copyDescribed)
    if (!isNode(value)) return value

    const copy: Record<string, unknown> = {}
    for (const [name, child] of Object.entries(value))
      copy[name] = DATA_KEYWORDS.has(name) ? child : copyDescribed(child)

    const description = describeNode(value)
    // Otherwise the old one stays: in `properties`, it is a field that is named `description`.
    if (description !== undefined) copy.description = description

    if (ENUM_FROM in value) copy[ENUM_DESCRIPTIONS] = readMeanings(value, behaviour)
    return copy
  }

  /** The complete description of a node; undefined if it has no sentence of its own. */
  function describeNode(node: Node): string | undefined {
    const sentences = readSentences(node)
    if (hasNone(sentences)) return undefined

    if (isOperation(node)) {
      const refusals = refusalsById.get(String(node.operationId)) ?? []
      return operationDescription(sentences, describeRefusals(refusals, behaviour))
    }
    const nodeAndTargets = [...followChain(contract, node)]
    return nodeDescription(nodeAndTargets.map(readSentences))
  }
}

/** Whether there is no sentence. */
function hasNone({ stated, assumed, observed }: Sentences): boolean {
  return stated.length + assumed.length + observed.length === 0
}

/**
 * The description of an operation, in paragraphs: facts first, then lists of what was observed, of
 * what is assumed, and of the refusals.
 */
function operationDescription(
  { stated, observed, assumed }: Sentences,
  refused: readonly string[],
): string {
  const parts = unique(stated)
  if (observed.length > 0) parts.push(writeList(WORDS.observed, unique(observed)))
  if (assumed.length > 0) parts.push(writeList(WORDS.assumed, unique(assumed)))
  if (refused.length > 0) parts.push(writeList(WORDS.refused, refused))
  return parts.join('\n\n')
}

/**
 * The description of any other node, in one line: facts first, then what was observed and what is
 * assumed, each after its word, so that a reader of the text can tell them apart.
 *
 * @param chain The sentences of the node, and those of what it refers to.
 */
function nodeDescription(chain: readonly Sentences[]): string {
  const stated = unique(chain.flatMap((sentences) => sentences.stated))
  const observed = unique(chain.flatMap((sentences) => sentences.observed))
  const assumed = unique(chain.flatMap((sentences) => sentences.assumed))

  const parts = [...stated]
  if (observed.length > 0) parts.push(WORDS.observed, ...observed)
  if (assumed.length > 0) parts.push(WORDS.assumed, ...assumed)
  return parts.join(' ')
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function writeList(words: string, texts: readonly string[]): string {
  const items = texts.map((text) => `- ${text}`)
  return `${words}\n\n${items.join('\n')}`
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
function describeRefusals(refusals: readonly DeclaredRefusal[], behaviour: Node): string[] {
  const entries = fieldsOf(behaviour.refusals)
  const refusalsOfContent = refusals.filter(({ status }) => CONTENT_STATUSES.has(status))
  return refusalsOfContent.map(
    ({ code, status }) => `\`${code}\` (${status}): ${readMeaning(entries[code])}`,
  )
}
