import { splitDescription, WORDS } from '@partner-payments/spec/build'
import {
  assumedSentences,
  type Node,
  type PlacedMark,
  withoutMarksOfSentences,
} from './contract.ts'
import { assumptions } from './text.ts'

/**
 * The description of a node as Markdown: what the source document states, then the sentences that were
 * observed at a service, then the assumed ones, each with the mark of its open question.
 *
 * @param marks The marks of the node. Those that no sentence is about stand behind the facts.
 * @param format Makes a text of the contract Markdown.
 */
export function statements(
  node: Node,
  marks: readonly PlacedMark[],
  format: (text: string) => string,
): string {
  const sentences = assumedSentences(node)
  const description = String(node.description ?? '').trimEnd()
  if (sentences.length === 0) return joinTexts([format(description), assumptions(marks)])

  // The build of the contract adds the sentences to the description, under words that tell them apart.
  const { stated: facts, observed: textOfObserved } = splitDescription(description)

  const observed: string[] = []
  const assumed: string[] = []
  for (const [question, sentence] of sentences) {
    const isObserved = textOfObserved.includes(sentence)
    const texts = isObserved ? observed : assumed
    texts.push(`${format(sentence)} {{assumption:${question}}}`)
  }
  return joinTexts([
    format(facts),
    assumptions(withoutMarksOfSentences(marks, node)),
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
