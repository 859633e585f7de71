import { findingsOf } from '../../engine/findings.ts'
import { refusingMethod } from '../../engine/refusal-of-method.ts'
import type { Law } from '../../engine/rule.ts'
import { below, nodeOf } from '../../model/document.ts'

export const responseHeaders: Law = {
  id: 'response-headers',
  phase: 'every answer',
  title: 'Every answer has the headers that the contract declares.',
  advice: 'Send the header.',
  everyAnswer: (exchange, contract) => {
    const { call, reply } = exchange
    const view = exchange.view ?? refusingMethod(contract, call, reply)
    if (!view) return undefined
    const { node } = contract.document.follow(below(view.pointer, 'responses', String(reply.status)))
    if (Object.keys(nodeOf(node.headers)).length === 0) return undefined
    return findingsOf(exchange, contract, ({ place }) => place === 'header')
  },
}
