import type { Rule } from '../../engine/rule.ts'
import { headerOf } from '../../model/http.ts'
import { placeOf } from './place.ts'

export const noContentIsEmpty: Rule = {
  id: 'no-content-is-empty',
  phase: 'responses',
  cites: 'contract',
  title: 'A 204 has no body (RFC 9110, section 15.3.5).',
  advice: 'Send nothing after the headers of a 204, and no content-length.',
  judgeResponse: (exchange) => {
    const { status, text, headers } = exchange.response
    if (status !== 204) return undefined
    const length = headerOf(headers, 'content-length') ?? '0'
    const isEmpty = text === '' && length === '0' && headers['transfer-encoding'] === undefined
    return isEmpty ? [] : [{ ...placeOf(exchange), message: 'Expected no body with 204, got one.' }]
  },
}
