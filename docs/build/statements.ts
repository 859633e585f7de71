import { splitDescription, WORDS } from '@partner-payments/spec/build'
import { isNode, type Node, type PlacedMark } from './contract.ts'
import { assumptions } from './text.ts'

/**
 * The description of a node of a contract without references as Markdown: what the source document
 * states, then each observed or assumed sentence with the mark of its question.
 *
 * @param marks The marks of the node. Those that no sentence is about stand behind the facts.
 * @param format Makes a text of the contract Markdown.
 */
export function statements(
  node: Node,
  marks: readonly PlacedMark[],
  format: (text: string) => string,
): string {
  const sentences = Object.entries(isNode(node['x-assumed']) ? node['x-assumed'] : {})
  const description = String(node.description ?? '').trimEnd()
  if (sentences.length === 0) return joinTexts([format(description), assumptions(marks)])

  // The build of the contract adds the same sentences to it.
  const { stated: facts, observed: observations } = splitDescription(description)

  const questionsOfSentences = new Set(sentences.map(([id]) => id))
  const marksWithoutSentence = marks.filter(
    ({ question, keyword }) => keyword !== 'meaning' || !questionsOfSentences.has(question),
  )
  const observed: string[] = []
  const assumed: string[] = []
  for (const [id, text] of sentences) {
    const list = observations.includes(String(text)) ? observed : assumed
    list.push(`${format(String(text))} {{assumption:${id}}}`)
  }
  return joinTexts([
    format(facts),
    assumptions(marksWithoutSentence),
    ...withWord(WORDS.observed, observed),
    ...withWord(WORDS.assumed, assumed),
  ])
}

function withWord(word: string, texts: readonly string[]): readonly string[] {
  return texts.length > 0 ? [word, ...texts] : []
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ')
}
