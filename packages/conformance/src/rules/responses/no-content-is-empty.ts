import type { Law } from '../../engine/rule.ts'
import { headerOf } from '../../transport/exchange.ts'

export const noContentIsEmpty: Law = {
  id: 'no-content-is-empty',
  phase: 'every answer',
  title: 'A 204 has no body (RFC 9110, section 15.3.5).',
  advice: 'Send nothing after the headers of a 204, and no content-length.',
  everyAnswer: ({ view, reply }) => {
    if (reply.status !== 204) return undefined
    const length = headerOf(reply.headers, 'content-length')
    const isEmpty =
      reply.text === '' &&
      (length === undefined || length === '0') &&
      reply.headers['transfer-encoding'] === undefined
    return isEmpty
      ? []
      : [
          {
            operation: view?.id,
            contract: view?.pointer ?? '',
            message: 'Expected no body with 204, got one.',
          },
        ]
  },
}
