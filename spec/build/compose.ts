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
 */
export function composed(contract: Node, behaviour: Node): Node {
  const refusals = new Map(viewsOf(contract).map((operation) => [operation.id, operation.refusals]))
  const compose = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(compose)
    if (!isNode(value)) return value
    const below = Object.entries(value).map(([name, it]) => [
      name,
      DATA.has(name) ? it : compose(it),
    ])
    const refused = isOperation(value)
      ? refusalsOf(refusals.get(String(value.operationId)), behaviour)
      : []
    const description = descriptionOf(value, contract, refused)
    return {
      ...Object.fromEntries(below),
      ...(description !== undefined && { description }),
      ...(ENUM_FROM in value && { [ENUM_DESCRIPTIONS]: meaningsOf(value, behaviour) }),
    }
  }
  return compose(contract) as Node
}

/** Facts first, so that a reader of the text can distinguish them from assumptions. */
function descriptionOf(node: Node, contract: Node, refused: readonly string[]): string | undefined {
  const { stated, assumed } = sentencesOf(node)
  if (stated.length + assumed.length === 0) return undefined
  const all = [...chainOf(contract, node)].map(sentencesOf)
  const facts = unique(all.flatMap((it) => it.stated))
  const assumptions = unique(all.flatMap((it) => it.assumed))
  return isOperation(node)
    ? [...facts, ...listed('Assumed', assumptions), ...listed('Refused (assumed)', refused)].join(
        '\n\n',
      )
    : [...facts, ...(assumptions.length > 0 ? ['Assumed:', ...assumptions] : [])].join(' ')
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

/**
 * Statuses of refusals because of the content of a request, not its syntax, its token or the
 * service.
 */
const TELLING = new Set([403, 404, 409, 422])

/** The refusals of an operation with their reasons. Every refusal is an assumption. */
function refusalsOf(declared: readonly DeclaredRefusal[] = [], { refusals }: Node): string[] {
  return declared
    .filter(({ status }) => TELLING.has(status))
    .map(
      ({ code, status }) =>
        `\`${code}\` (${status}): ${meaningOf(isNode(refusals) && refusals[code])}`,
    )
}
