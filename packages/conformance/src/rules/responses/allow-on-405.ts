import type { Law } from '../../engine/rule.ts'
import { headerOf } from '../../transport/exchange.ts'

export const allowOn405: Law = {
  id: 'allow-on-405',
  phase: 'every answer',
  question: 'errors',
  title: 'Every 405 says in allow which methods the path takes (RFC 9110, section 15.5.6).',
  advice: 'Send allow with every method of the path.',
  everyAnswer: ({ view, call, reply }, { operations, validator }) => {
    if (reply.status !== 405) return undefined
    // A wrong method means no operation: the finding is about the first that the path has.
    const path = call.path.split('?', 1)[0] ?? ''
    const asked = validator.findOperation(call.method, path)
    const methods = asked.found ? [call.method] : asked.allow
    const found = validator.findOperation(methods[0] ?? '', path)
    const meant = view ?? operations.find(({ operation }) => found.found && operation === found.operation)
    const place = { operation: meant?.id, contract: meant?.pointer ?? '' }
    const allow = headerOf(reply.headers, 'allow')
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
