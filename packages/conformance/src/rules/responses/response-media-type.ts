import { responseViolations } from '../../engine/response-violations.ts'
import type { Rule } from '../../engine/rule.ts'

export const responseMediaType: Rule = {
  id: 'response-media-type',
  phase: 'responses',
  cites: 'contract',
  title: 'The content-type of every body is one of the declared media types.',
  advice: 'Send the declared content-type.',
  judgeResponse: (exchange, contract) =>
    responseViolations(exchange, contract, ({ place }) => place === 'media-type'),
}
