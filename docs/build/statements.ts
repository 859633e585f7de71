import { isNode, type Mark, type Node } from './contract.ts'
import { assumptions } from './text.ts'

/**
 * The description of a node of an inlined contract: what the source document states, then each
 * assumed sentence with the mark of its question.
 *
 * @param marks those of the node; what no sentence states is marked behind the facts
 * @param format makes a text of the contract Markdown
 */
export function statements(
  node: Node,
  marks: readonly Mark[],
  format: (text: string) => string,
): string {
  const sentences = Object.entries(isNode(node['x-assumed']) ? node['x-assumed'] : {})
  // The build of the contract adds the same sentences behind this word.
  const description = String(node.description ?? '').trimEnd()
  const [facts = ''] = description.split('Assumed:')
  if (sentences.length === 0) return joined([format(description), assumptions(marks)])

  const stated = new Set(sentences.map(([id]) => id))
  const others = marks.filter(
    ({ question, keyword }) => keyword !== 'meaning' || !stated.has(question),
  )
  const assumed = sentences.map(([id, text]) => `${format(String(text))} {{assumption:${id}}}`)
  return joined([format(facts.trim()), assumptions(others), 'Assumed:', ...assumed])
}

function joined(texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ')
}
