import { responseViolations } from '../../engine/response-violations.ts'
import type { Rule } from '../../engine/rule.ts'
import { below, nodeOf } from '../../model/document.ts'
import { operationRefusingMethod } from '../../model/refused-method.ts'

export const responseHeaders: Rule = {
  id: 'response-headers',
  phase: 'responses',
  cites: 'contract',
  title: 'Every response has the headers that the contract declares.',
  advice: 'Send the header.',
  judgeResponse: (exchange, contract) => {
    const { request, response } = exchange
    const view = exchange.view ?? operationRefusingMethod(contract, request, response)
    if (!view) return undefined
    const { node } = contract.document.follow(below(view.pointer, 'responses', String(response.status)))
    if (Object.keys(nodeOf(node.headers)).length === 0) return undefined
    return responseViolations(exchange, contract, ({ place }) => place === 'header')
  },
}
