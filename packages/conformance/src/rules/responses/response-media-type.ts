import { findingsOf } from '../../engine/findings.ts'
import type { Law } from '../../engine/rule.ts'

export const responseMediaType: Law = {
  id: 'response-media-type',
  phase: 'every answer',
  title: 'Every body says in content-type which of the declared media types it is.',
  advice: 'Send the declared content-type.',
  everyAnswer: (exchange, contract) => findingsOf(exchange, contract, ({ place }) => place === 'media-type'),
}
