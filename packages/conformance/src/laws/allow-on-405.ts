import type { Law } from '../law.ts'
import { headerOf } from '../run/exchange.ts'

export const allowOn405: Law = {
  id: 'allow-on-405',
  phase: 'every answer',
  question: 'errors',
  title: 'Every 405 says in allow which methods the path takes (RFC 9110, section 15.5.6).',
  advice: 'Send allow with every method of the path.',
  everyAnswer: ({ view, reply, call }, { validator, operations }) => {
    if (reply.status !== 405) return []
    const path = call.path.split('?', 1)[0] ?? ''
    const found = validator.findOperation(call.method, path)
    const owner =
      view ?? operations.find((it) => !found.found && found.allow.includes(it.method) && it.path === path)
    const place = { operation: owner?.id, contract: owner?.pointer ?? '' }
    const allow = headerOf(reply.headers, 'allow')
    if (allow === undefined)
      return [{ ...place, message: 'Expected allow beside 405, got none.', about: 'none' }]
    const methods = allow.toUpperCase().split(/\s*,\s*/)
    const missing = found.found ? undefined : found.allow.find((it) => !methods.includes(it))
    return missing
      ? [{ ...place, message: `Expected ${missing} in allow, got ${allow}.`, about: 'methods' }]
      : []
  },
}
