import type { Rule } from '../../engine/rule.ts'
import { headerOf, isJson } from '../../model/http.ts'

export const validJson: Rule = {
  id: 'valid-json',
  phase: 'responses',
  cites: 'contract',
  title: 'What says that it is JSON is JSON, in UTF-8 (RFC 8259, section 8.1).',
  advice: 'Send the body whole, and as JSON.',
  judgeResponse: ({ view, response, body, request }) => {
    if (
      !isJson(headerOf(response.headers, 'content-type')) ||
      response.text === '' ||
      request.method === 'HEAD'
    )
      return undefined
    const place = { operation: view?.id, contract: view?.pointer ?? '' }
    const charset = charsetOf(headerOf(response.headers, 'content-type'))
    if (!/^utf-?8$/i.test(charset))
      return [{ ...place, message: `Expected UTF-8, got ${charset}.`, about: 'charset' }]
    if (response.text.startsWith('\uFEFF'))
      return [{ ...place, message: 'Expected JSON, got a byte order mark before it.', about: 'bom' }]
    if (body === undefined) return [{ ...place, message: 'Expected JSON, got text that is none.' }]
    // What could not be decoded; a request may have brought it.
    const isDecoded = !response.text.includes('\uFFFD') || /\uFFFD|\\ud[89a-f]/i.test(request.body ?? '')
    return isDecoded
      ? []
      : [{ ...place, message: 'Expected UTF-8, got bytes that are none.', about: 'utf-8' }]
  },
}

function charsetOf(type = ''): string {
  return /;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
}
