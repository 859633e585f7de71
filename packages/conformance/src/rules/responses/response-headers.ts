import { findingsOf } from '../../engine/response-violations.ts'
import { refusingMethod } from '../../engine/method-refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { below, nodeOf } from '../../model/document.ts'

export const responseHeaders: Rule = {
  id: 'response-headers',
  phase: 'responses',
  cites: 'contract',
  title: 'Every answer has the headers that the contract declares.',
  advice: 'Send the header.',
  judgeResponse: (exchange, contract) => {
    const { request, response } = exchange
    const view = exchange.view ?? refusingMethod(contract, request, response)
    if (!view) return undefined
    const { node } = contract.document.follow(below(view.pointer, 'responses', String(response.status)))
    if (Object.keys(nodeOf(node.headers)).length === 0) return undefined
    return findingsOf(exchange, contract, ({ place }) => place === 'header')
  },
}
