import type { Law } from '../law.ts'
import { headerOf } from '../run/exchange.ts'

export const jsonIsJson: Law = {
  id: 'json-is-json',
  phase: 'every answer',
  title: 'What says that it is JSON is JSON, in UTF-8 (RFC 8259, section 8.1).',
  advice: 'Send the body whole, and as JSON.',
  everyAnswer: ({ view, reply, body, call }) => {
    const isJson = /json/i.test(headerOf(reply.headers, 'content-type') ?? '')
    if (!isJson || reply.text === '' || call.method === 'HEAD') return undefined
    const place = { operation: view?.id, contract: view?.pointer ?? '' }
    if (body === undefined) return [{ ...place, message: 'Expected JSON, got text that is none.' }]
    // What could not be decoded; a request may have brought it.
    const isDecoded = !reply.text.includes('\uFFFD') || call.body?.includes('\uFFFD')
    return isDecoded
      ? []
      : [{ ...place, message: 'Expected UTF-8, got bytes that are none.', about: 'utf-8' }]
  },
}
