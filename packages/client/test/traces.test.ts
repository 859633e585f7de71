import { createServer } from 'node:http'
import { type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import { expect, it, onTestFinished } from 'vitest'
import { createPayments } from '../src/index.ts'
import { tracedFetch } from './recipes/traces.ts'

/** What a tracer knows of a span. */
interface RecordedSpan {
  readonly name: string
  readonly attributes: Record<string, unknown>
  hasEnded: boolean
}

/** Records the spans of this test instead of exporting them. */
function recordSpans(): RecordedSpan[] {
  const spans: RecordedSpan[] = []
  const startActiveSpan = (name: string, options: SpanOptions, run: (span: object) => unknown) => {
    const span: RecordedSpan = { name, attributes: { ...options.attributes }, hasEnded: false }
    spans.push(span)
    return run({
      setAttribute: (key: string, value: unknown) => {
        span.attributes[key] = value
      },
      end: () => {
        span.hasEnded = true
      },
    })
  }
  trace.setGlobalTracerProvider({ getTracer: () => ({ startActiveSpan }) as unknown as Tracer })
  onTestFinished(() => trace.disable())
  return spans
}

/** A service that has no user. */
async function startService(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"status":404}')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

it('has a span for each attempt, without the id in its path', async () => {
  const spans = recordSpans()
  const baseUrl = await startService()
  const payments = createPayments({ baseUrl, auth: { token: () => 'token' }, fetch: tracedFetch })

  await payments.users.get('25fd6010-0b86-417f-96a3-7c5e37646c16').catch(() => {})

  const path = '/mobile-bff/v1/partner/user/{user_id}'
  expect(spans).toEqual([
    {
      name: `GET ${path}`,
      attributes: {
        'http.request.method': 'GET',
        'url.template': path,
        'http.request.resend_count': 0,
        'http.response.status_code': 404,
      },
      hasEnded: true,
    },
  ])
})
