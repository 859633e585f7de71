import { EFFECTS } from '@partner-payments/spec/build'
import { answerBadge } from './answerBadge.ts'
import { type Contract, operationsOf, referenceLink } from './contract.ts'
import type { Directives } from './markdown.ts'
import type { Questions } from './marks.ts'
import { escapeHtml } from './page.ts'

/**
 * What our texts may say: `{{answer:id}}` marks what is our answer; `{{operation:id}}` leads to an operation in the
 * reference; `{{effect:name}}` is what the contract's x-effect means. For pages one folder below the top.
 */
export function directives(contract: Contract, questions: Questions): Directives {
  return {
    effect: (name) => {
      const meaning = Object.entries(EFFECTS).find(([effect]) => effect === name)
      if (!meaning) throw new Error(`there is no effect "${name}"`)
      return escapeHtml(meaning[1])
    },
    answer: (id) => answerBadge(id, questions, '../'),
    operation: (id) => {
      const operation = operationsOf(contract).find(({ node }) => node.operationId === id)
      if (!operation) throw new Error(`the contract has no operation "${id}"`)
      return `<a href="../${referenceLink(operation)}"><code>${escapeHtml(id)}</code></a>`
    },
  }
}
