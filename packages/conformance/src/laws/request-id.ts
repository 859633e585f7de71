import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { headerOf } from '../run/exchange.ts'

export const requestId: Law = {
  id: 'request-id',
  phase: 'every answer',
  question: 'errors',
  title: 'Every answer is named by x-request-id, and an error repeats the name in `request_id`.',
  advice: 'Make the name when the request arrives, and send it with every answer.',
  everyAnswer: ({ view, reply, body, call }, { document }) => {
    if (reply.status === 0 || !hasHeader(document.root)) return undefined
    const id = headerOf(reply.headers, 'x-request-id')
    const place = { operation: view?.id, contract: view?.pointer ?? '' }
    if (!id) return [{ ...place, message: 'Expected x-request-id, got none.', about: 'header' }]
    if (reply.status < 400 || call.method === 'HEAD' || nodeOf(body).request_id === id) return []
    return [{ ...place, message: 'Expected "request_id" to be x-request-id, got another.', about: 'body' }]
  },
}

const known = new WeakMap<object, boolean>()

/** It is asked only of a contract that has the header; looked for once, since answers are many. */
function hasHeader(root: object): boolean {
  const has = known.get(root) ?? JSON.stringify(root).includes('"x-request-id"')
  known.set(root, has)
  return has
}
