import type { Rule } from '../../engine/rule.ts'
import { headerOf } from '../../model/http.ts'

export const noContentIsEmpty: Rule = {
  id: 'no-content-is-empty',
  phase: 'responses',
  cites: 'contract',
  title: 'A 204 has no body (RFC 9110, section 15.3.5).',
  advice: 'Send nothing after the headers of a 204, and no content-length.',
  judgeResponse: ({ view, response }) => {
    if (response.status !== 204) return undefined
    const length = headerOf(response.headers, 'content-length')
    const isEmpty =
      response.text === '' &&
      (length === undefined || length === '0') &&
      response.headers['transfer-encoding'] === undefined
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
