import type { Attempt, Middleware, Reply } from './middleware.ts'
import { kindOf, watched } from './watched.ts'

/** What is used of a tracer; that of `@opentelemetry/api` is one. */
export interface Tracer {
  startSpan(name: string, options: { kind: 2; attributes: SpanAttributes }): Span
}

/** What is used of a span. */
export interface Span {
  spanContext(): SpanContext
  setAttributes(attributes: SpanAttributes): unknown
  setStatus(status: { code: 2 }): unknown
  end(): unknown
}

/** What names a span in other systems. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** 1: sampled. */
  readonly traceFlags: number
  readonly traceState?: { serialize(): string } | undefined
}

export type SpanAttributes = Record<string, string | number>

/** What `tracing` takes beside the tracer. */
export interface TracingOptions {
  /** Default: true. Sends the header traceparent (W3C Trace Context), in place of one of the caller's. */
  readonly propagate?: boolean
}

/** As numbered by OpenTelemetry. */
const CLIENT = 2
const ERROR = 2

/**
 * A middleware that makes one span per attempt, named and described by OpenTelemetry's conventions for HTTP clients
 * (semantic conventions, "HTTP client span"). It is a child of the span that is active when the call is made.
 *
 * What fills the path, and the query, never get into a span: ids and documents are personal, and traces are read by
 * many. `url.full`, which the conventions require, says REDACTED in their place, as the conventions have it.
 * What the tracer throws is dropped, and the call goes on without a span.
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
    return watched(traced, next, (reply, error) => finish(span, reply, error))
  }
}

function startOf(attempt: Attempt) {
  const { operationId, method, path, url, number } = attempt
  const { hostname, port, protocol } = new URL(url)
  const attributes: SpanAttributes = {
    'http.request.method': method,
    'url.template': path,
    'url.full': redacted(attempt),
    // Of an IPv6 address without the brackets of a URL.
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(port || (protocol === 'http:' ? 80 : 443)),
    'partner_payments.operation_id': operationId,
    ...(number > 1 && { 'http.request.resend_count': number - 1 }),
  }
  return { kind: CLIENT, attributes } as const
}

/** The URL with REDACTED for whatever is not the same in every call; without its path where that is not the contract's. */
function redacted({ url, path }: Attempt): string {
  const { origin, pathname } = new URL(url)
  const filled = new RegExp(`${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  const before = filled.test(pathname) ? pathname.replace(filled, '') : ''
  return `${origin}${before}${path.replace(/\{\w+\}/g, 'REDACTED')}`
}

/** A refusal is an error for a client; so is an attempt without an answer. */
function finish(span: Span, reply: Reply | undefined, error: unknown): void {
  const status = reply?.response.status
  const type = status === undefined ? kindOf(error) : status >= 400 && `${status}`
  quietly(() =>
    span.setAttributes({
      // A browser hides the status of a redirect, and says 0.
      ...(status && { 'http.response.status_code': status }),
      ...(type && { 'error.type': type }),
    }),
  )
  if (type) quietly(() => span.setStatus({ code: ERROR }))
  span.end()
}

/** W3C Trace Context, sections 3.2 and 3.3; nothing of a context that is not valid, as that of a tracer that is off. */
function contextHeaders({ traceId, spanId, traceFlags, traceState }: SpanContext): Record<string, string> {
  const isValid = /^(?!0+$)[\da-f]{32}$/.test(traceId) && /^(?!0+$)[\da-f]{16}$/.test(spanId)
  if (!isValid) return {}
  const flags = (traceFlags & 0xff).toString(16).padStart(2, '0')
  const state = traceState?.serialize()
  // What cannot go into a header would fail the call.
  const tracestate = state && /^[ -~]{1,512}$/.test(state) ? state : undefined
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate && { tracestate }) }
}

/** What `task` gives, or `undefined` where it throws. */
function quietly<T>(task: () => T): T | undefined {
  try {
    return task()
  } catch {
    return undefined
  }
}
