import type { Law } from '../law.ts'
import { headerOf } from '../run/exchange.ts'

export const jsonIsJson: Law = {
  id: 'json-is-json',
  phase: 'every answer',
  title: 'What says that it is JSON is JSON (RFC 8259).',
  advice: 'Send the body whole, and as JSON.',
  everyAnswer: ({ view, reply, body, call }) => {
    const isJson = /json/i.test(headerOf(reply.headers, 'content-type') ?? '')
    if (!isJson || reply.text === '' || call.method === 'HEAD') return undefined
    const message = 'Expected JSON, got text that is none.'
    return body === undefined ? [{ operation: view?.id, contract: view?.pointer ?? '', message }] : []
  },
}
