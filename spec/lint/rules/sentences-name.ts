import { ASSUMED, ENUM_DESCRIPTIONS, type Node } from '../marks.ts'
import { listEntries, listOperations, pointerBelow, reachableNodes } from '../operations.ts'
import type { Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

/** A word such as `createWebhook`, which is no part of a path, a link or a pointer. */
const NAME = /(?<![\w./#-])[a-z]+[A-Z]\w*/g

/**
 * Reports sentences that name an operation which does not exist, so that no reference is lost when
 * an operation is removed.
 */
export const sentencesName: Rule = function* ({ contract, other }) {
  const operations = [...listOperations(contract), ...listOperations(other)]
  const ids = operations.map(({ id }) => id)
  const names = new Set([...ids, ...fieldNames(contract)])
  for (const { node, at } of reachableNodes(contract, contract, '')) {
    for (const { text, step } of collectSentences(node)) {
      // Only names such as `createWebhook`: a word without a capital may be an ordinary one.
      const unknown = text.match(NAME)?.find((name) => !names.has(name))
      if (unknown === undefined) continue
      const next = didYouMean(unknown, ids, '; correct the sentence.')
      const message = `The contract has no operation or field "${unknown}"${next}`
      yield { message, at: `${at}${step}` }
    }
  }
}

/** The names of the properties of all schemas. */
function fieldNames(contract: Node): string[] {
  const nodes = [...reachableNodes(contract, contract, '')]
  return nodes.flatMap(({ node }) => listEntries(node.properties).map(([name]) => name))
}

interface Sentence {
  readonly text: string
  /** The pointer below the node. */
  readonly step: string
}

/**
 * The texts of a node, each with the step that leads to it, such as `/description` or
 * `/x-assumed/paging`: its summary and description, assumed sentences, and the descriptions of enum
 * values.
 */
function collectSentences(node: Node): Sentence[] {
  const sentences: Sentence[] = []
  for (const keyword of ['summary', 'description']) {
    const text = node[keyword]
    if (typeof text === 'string') sentences.push({ text, step: pointerBelow('', keyword) })
  }
  for (const keyword of [ASSUMED, ENUM_DESCRIPTIONS]) {
    for (const [name, text] of listEntries(node[keyword]))
      if (typeof text === 'string') sentences.push({ text, step: pointerBelow('', keyword, name) })
  }
  return sentences
}
