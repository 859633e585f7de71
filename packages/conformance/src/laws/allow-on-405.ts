import type { Law } from '../law.ts'

export const allowOn405: Law = {
  id: 'allow-on-405',
  phase: 'every answer',
  question: 'errors',
  title: 'Every 405 says in allow which methods the path takes (RFC 9110, section 15.5.6).',
  advice: 'Send allow with the methods of the path.',
  everyAnswer: ({ view, call, reply }, { operations, validator }) => {
    if (reply.status !== 405) return undefined
    if (reply.headers.allow !== undefined) return []
    // A wrong method means no operation: the finding is about the first that the path has.
    const path = call.path.split('?', 1)[0] ?? ''
    const asked = validator.findOperation(call.method, path)
    const [method = ''] = asked.found ? [call.method] : asked.allow
    const found = validator.findOperation(method, path)
    const meant = view ?? operations.find(({ operation }) => found.found && operation === found.operation)
    const message = 'Expected allow beside 405, got none.'
    return [{ operation: meant?.id, contract: meant?.pointer ?? '', message }]
  },
}
