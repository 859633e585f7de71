import type { Rule } from '../../engine/rule.ts'
import { headerOf } from '../../model/http.ts'

export const allowOn405: Rule = {
  id: 'allow-on-405',
  phase: 'responses',
  cites: { convention: 'refusals' },
  title: 'Every 405 says in allow which methods the path takes (RFC 9110, section 15.5.6).',
  advice: 'Send allow with every method of the path.',
  judgeResponse: ({ view, request, response }, { operations, validator }) => {
    if (response.status !== 405) return undefined
    // A wrong method means no operation: the finding is about the first that the path has.
    const path = request.path.split('?', 1)[0] ?? ''
    const asked = validator.findOperation(request.method, path)
    const methods = asked.found ? [request.method] : asked.allow
    const found = validator.findOperation(methods[0] ?? '', path)
    const meant = view ?? operations.find(({ operation }) => found.found && operation === found.operation)
    const place = { operation: meant?.id, contract: meant?.pointer ?? '' }
    const allow = headerOf(response.headers, 'allow')
    if (allow === undefined)
      return [{ ...place, message: 'Expected allow beside 405, got none.', about: 'none' }]
    const missing = asked.found
      ? undefined
      : methods.find(
          (it) =>
            !allow
              .toUpperCase()
              .split(/\s*,\s*/)
              .includes(it),
        )
    return missing
      ? [{ ...place, message: `Expected ${missing} in allow, got ${allow}.`, about: 'methods' }]
      : []
  },
}
