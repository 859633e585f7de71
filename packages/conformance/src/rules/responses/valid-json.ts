import type { Rule } from '../../engine/rule.ts'
import type { Exchange } from '../../model/exchange.ts'
import { headerOf, isJson } from '../../model/http.ts'
import { placeOf } from './place.ts'

export const validJson: Rule = {
  id: 'valid-json',
  phase: 'responses',
  cites: 'contract',
  title: 'A body whose media type is JSON is valid JSON in UTF-8 (RFC 8259, section 8.1).',
  advice: 'Serialize the complete body as JSON, in UTF-8.',
  judgeResponse: (exchange) => {
    const { request, response } = exchange
    const type = headerOf(response.headers, 'content-type')
    if (!isJson(type) || response.text === '' || request.method === 'HEAD') return undefined
    const fault = faultIn(exchange, charsetOf(type))
    return fault ? [{ ...placeOf(exchange), ...fault }] : []
  },
}

function faultIn(
  { response: { text }, body, request }: Exchange,
  charset: string,
): { message: string; about?: string } | undefined {
  if (!/^utf-?8$/i.test(charset)) return { message: `Expected UTF-8, got ${charset}.`, about: 'charset' }
  if (text.startsWith('\uFEFF'))
    return { message: 'Expected JSON, got a byte order mark before it.', about: 'bom' }
  if (body === undefined) return { message: 'Expected JSON, got a body that cannot be parsed.' }
  // U+FFFD stands for bytes that could not be decoded, unless the request contained it.
  const isDecoded = !text.includes('\uFFFD') || /\uFFFD|\\ud[89a-f]/i.test(request.body ?? '')
  return isDecoded ? undefined : { message: 'Expected UTF-8, got invalid bytes.', about: 'utf-8' }
}

function charsetOf(type = ''): string {
  return /;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
}
