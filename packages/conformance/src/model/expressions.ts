import { nodeOf, valueAt } from './document.ts'
import type { Exchange } from './exchange.ts'
import { headerOf } from './http.ts'

/** The supported runtime expressions (OpenAPI 3.1, "Runtime Expressions"). */
const KNOWN =
  /^\$(method|statusCode|(request|response)\.(body(#.*)?|header\.[^{}]+)|request\.(query|path)\.[^{}]+)$/
/** An expression embedded in a string. */
const INSIDE = /\{(\$[^{}]*)\}/g

export function isExpression(value: unknown): value is `$${string}` {
  return typeof value === 'string' && value.startsWith('$')
}

/** Whether a value is a constant, or has only supported expressions. */
export function isSupported(value: unknown): boolean {
  if (typeof value !== 'string') return true
  if (isExpression(value)) return KNOWN.test(value)
  return [...value.matchAll(INSIDE)].every(([, inside = '']) => KNOWN.test(inside))
}

/** Evaluates an expression, or returns a constant. Undefined if the exchange has no such value. */
export function evaluated(value: unknown, exchange: Exchange): unknown {
  if (isExpression(value)) return valueBy(value, exchange)
  if (typeof value !== 'string') return value
  const inside = [...value.matchAll(INSIDE)].map(([, it = '']) => valueBy(it, exchange))
  if (inside.some((it) => it === undefined || it === null)) return undefined
  return value.replaceAll(INSIDE, () => String(inside.shift()))
}

function valueBy(expression: string, exchange: Exchange): unknown {
  const { request, response, input, body } = exchange
  const [source = '', name = ''] = split(expression)
  if (source === '$method') return request.method
  if (source === '$statusCode') return response.status
  if (source === '$response.body') return valueAt(body, name) ?? enveloped(body, name)
  if (source === '$request.body') return valueAt(input.body, name)
  if (source === '$response.header') return headerOf(response.headers, name.toLowerCase())
  if (source === '$request.header') return request.headers[name.toLowerCase()]
  if (source === '$request.query')
    return new URLSearchParams(request.path.split('?')[1]).get(name) ?? undefined
  return source === '$request.path' ? input.path?.[name] : undefined
}

/**
 * Finds a value although the service added an envelope such as `{ "data": … }` to the declared body, or left out a
 * declared one. Undefined if it is missing or ambiguous.
 */
function enveloped(body: unknown, pointer: string): unknown {
  if (valueAt(body, pointer) === null) return null
  const inner = Object.values(nodeOf(body)).flatMap((it) => valueAt(it, pointer) ?? [])
  const outer = valueAt(body, pointer.replace(/^\/[^/]+(?=\/)/, ''))
  return inner.length === 1 ? inner[0] : outer
}

/** The source of an expression, and the pointer or name in it. */
function split(expression: string): string[] {
  return /^(\$(?:method|statusCode|(?:request|response)\.\w+))[#.]?(.*)$/s.exec(expression)?.slice(1) ?? []
}
