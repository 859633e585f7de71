import { splitDescription, WORDS } from '@partner-payments/spec/build'
import { isNode, type Node, type PlacedMark } from './contract.ts'
import { assumptions } from './text.ts'

/**
 * The description of a node of an inlined contract: what the source document states, then each
 * observed or assumed sentence with the mark of its question.
 *
 * @param marks those of the node; what no sentence states is marked behind the facts
 * @param format makes a text of the contract Markdown
 */
export function statements(
  node: Node,
  marks: readonly PlacedMark[],
  format: (text: string) => string,
): string {
  const sentences = Object.entries(isNode(node['x-assumed']) ? node['x-assumed'] : {})
  const description = String(node.description ?? '').trimEnd()
  if (sentences.length === 0) return joined([format(description), assumptions(marks)])

  // The build of the contract adds the same sentences to it.
  const { stated: facts, observed: observations } = splitDescription(description)

  const stated = new Set(sentences.map(([id]) => id))
  const others = marks.filter(
    ({ question, keyword }) => keyword !== 'meaning' || !stated.has(question),
  )
  const observed: string[] = []
  const assumed: string[] = []
  for (const [id, text] of sentences) {
    const list = observations.includes(String(text)) ? observed : assumed
    list.push(`${format(String(text))} {{assumption:${id}}}`)
  }
  return joined([
    format(facts),
    assumptions(others),
    ...listed(WORDS.observed, observed),
    ...listed(WORDS.assumed, assumed),
  ])
}

function listed(word: string, texts: readonly string[]): readonly string[] {
  return texts.length > 0 ? [word, ...texts] : []
}

function joined(texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ')
}
