import type { Attempt, AttemptResult, Middleware } from './middleware.ts'
import { kindOf, observe } from './observe.ts'

/** The part of a tracer that `tracing` uses, such as the one of `@opentelemetry/api`. */
export interface Tracer {
  startSpan(name: string, options: { kind: 2; attributes: SpanAttributes }): Span
}

/** The part of a span that `tracing` uses. */
export interface Span {
  spanContext(): SpanContext
  setAttributes(attributes: SpanAttributes): unknown
  setStatus(status: { code: 2 }): unknown
  end(): unknown
}

/** Identifies a span in other systems. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** 1 means sampled. */
  readonly traceFlags: number
  readonly traceState?: { serialize(): string } | undefined
}

export type SpanAttributes = Record<string, string | number>

/** Options of `tracing`. */
export interface TracingOptions {
  /** Sends the `traceparent` header (W3C Trace Context) and replaces the caller's. Default: true. */
  readonly propagate?: boolean
}

/** Span kind and status code of OpenTelemetry. */
const CLIENT = 2
const ERROR = 2

/**
 * A middleware that creates one span per attempt, according to OpenTelemetry's semantic conventions ("HTTP client
 * span"). The span is a child of the span that is active at the call.
 *
 * Path parameters and queries never appear in a span, since ids and documents are personal. The required attribute
 * `url.full` shows REDACTED instead, as the conventions say. If the tracer throws, the call continues without a span.
 *
 * @example
 * import { trace } from '@opentelemetry/api'
 *
 * const middleware = [tracing(trace.getTracer('my-shop'))]
 * const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret }, middleware })
 */
export function tracing(tracer: Tracer, { propagate = true }: TracingOptions = {}): Middleware {
  return (attempt, next) => {
    const span = quietly(() => tracer.startSpan(`${attempt.method} ${attempt.path}`, startOf(attempt)))
    if (!span) return next(attempt)
    const context = propagate && quietly(() => contextHeaders(span.spanContext()))
    const traced = { ...attempt, headers: { ...attempt.headers, ...context } }
    return observe(traced, next, (result, error) => finish(span, result, error))
  }
}

function startOf(attempt: Attempt) {
  const { operationId, method, path, url, number } = attempt
  const { hostname, port, protocol } = new URL(url)
  const attributes: SpanAttributes = {
    'http.request.method': method,
    'url.template': path,
    'url.full': redacted(attempt),
    // An IPv6 address without the brackets of a URL.
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(port || (protocol === 'http:' ? 80 : 443)),
    'partner_payments.operation_id': operationId,
    ...(number > 1 && { 'http.request.resend_count': number - 1 }),
  }
  return { kind: CLIENT, attributes } as const
}

/** The URL with REDACTED for each parameter and without the query. A path prefix of another API is dropped. */
function redacted({ url, path }: Attempt): string {
  const { origin, pathname } = new URL(url)
  const filled = new RegExp(`${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  const before = filled.test(pathname) ? pathname.replace(filled, '') : ''
  return `${origin}${before}${path.replace(/\{\w+\}/g, 'REDACTED')}`
}

/** An error response and an attempt without a response both set the error status. */
function finish(span: Span, result: AttemptResult | undefined, error: unknown): void {
  const status = result?.response.status
  const type = status === undefined ? kindOf(error) : status >= 400 && `${status}`
  quietly(() =>
    span.setAttributes({
      // A browser reports a redirect as status 0.
      ...(status && { 'http.response.status_code': status }),
      ...(type && { 'error.type': type }),
    }),
  )
  if (type) quietly(() => span.setStatus({ code: ERROR }))
  span.end()
}

/** W3C Trace Context, sections 3.2 and 3.3. Empty for an invalid context, such as that of a disabled tracer. */
function contextHeaders({ traceId, spanId, traceFlags, traceState }: SpanContext): Record<string, string> {
  const isValid = /^(?!0+$)[\da-f]{32}$/.test(traceId) && /^(?!0+$)[\da-f]{16}$/.test(spanId)
  if (!isValid) return {}
  const flags = (traceFlags & 0xff).toString(16).padStart(2, '0')
  const state = traceState?.serialize()
  // An invalid header value would fail the call.
  const tracestate = state && /^[ -~]{1,512}$/.test(state) ? state : undefined
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate && { tracestate }) }
}

/** Returns the result of `task`, or `undefined` if it throws. */
function quietly<T>(task: () => T): T | undefined {
  try {
    return task()
  } catch {
    return undefined
  }
}
