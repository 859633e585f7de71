import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { answerTo } from './answer.ts'
import { corsHeaders, preflight } from './cors.ts'
import type { Answer } from './operation.ts'
import { loadOperations } from './operations.ts'
import { createProblems, isProblem, newRequestId, Refusal } from './problems.ts'
import { createRoutes, type Find, isDecodable, type Methods, slashHint } from './routes.ts'

/** What a mock is made of. */
export interface MockOptions {
  /**
   * One bundled OpenAPI 3.1 document or several, which are served together. The partner payments contract and the
   * short paths of its guide by default. They are not modified.
   */
  contract?: object | readonly object[]
  /** Invent answers from the schemas instead of giving the examples. False by default. */
  dynamic?: boolean
  /** Log a line for every request. False by default; a failure of the mock itself is logged in any case. */
  verbose?: boolean
  /** Takes the lines of the log; they go to stderr by default. */
  log?: (line: string) => void
}

/** The service as the contract describes it, without state. */
export interface Mock {
  /** Answers a request. Never rejects: what goes wrong is answered with problem details (RFC 9457). */
  fetch(request: Request): Promise<Response>
}

/**
 * Makes a mock that answers requests without a socket.
 *
 * @example
 * const mock = await createMock()
 * const response = await mock.fetch(
 *   new Request('http://mock/mobile-bff/v1/partner/user', { headers: { authorization: 'Bearer any' } }),
 * )
 *
 * @throws {Error} when a document is not OpenAPI 3.1, a reference in it leads nowhere, or two documents describe the
 *   same method and path
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  const { dynamic = false, verbose = false, log = toStderr } = options
  const operations = await loadOperations([options.contract ?? [contract, guide]].flat())
  const find = createRoutes(operations)
  const toProblem = createProblems(operations)

  return {
    async fetch(request) {
      const started = performance.now()
      const requestId = newRequestId()
      const { pathname } = new URL(request.url)
      const methods = find(pathname)
      const subject = `${request.method} ${pathname}`
      const answer = respond(request, find, dynamic).then((answer) => toResponse(answer, requestId))
      const response = await answer.catch((error: unknown) => {
        if (!(error instanceof Refusal)) log(`${subject}: ${explain(error)} (${requestId})`)
        return toResponse(toProblem(error), requestId)
      })
      const id = methods?.get(request.method)?.id ?? '-'
      if (verbose) log(`${subject} -> ${response.status} ${id} ${Math.round(performance.now() - started)} ms`)
      return response
    },
  }
}

async function respond(request: Request, find: Find, dynamic: boolean): Promise<Answer> {
  if (request.method === 'OPTIONS') return { status: 204, headers: preflight(request), body: undefined }
  const { pathname } = new URL(request.url)
  if (!isDecodable(pathname)) throw new Refusal('invalid_request', { detail: 'The path is badly encoded.' })
  const methods = find(pathname)
  const operation = methods?.get(request.method)
  if (!methods || !operation) throw noOperation(request.method, pathname, { methods, find })
  const allow = allowedBy(methods)
  const answer = await answerTo(operation, request, dynamic)
  return answer.status === 405 ? { ...answer, headers: { ...answer.headers, allow } } : answer
}

function noOperation(method: string, pathname: string, { methods, find }: Lookup): Refusal {
  const detail = slashHint(method, pathname, find)
  if (!methods) return new Refusal('not_found', { detail: detail ?? NO_PATH })
  return new Refusal('method_not_allowed', {
    headers: { allow: allowedBy(methods) },
    ...(detail && { detail }),
  })
}

interface Lookup {
  methods: Methods | undefined
  find: Find
}

const NO_PATH = 'No operation at this path. Check its prefix and its slashes.'

function allowedBy(methods: Methods): string {
  return [...methods.keys()].join(', ')
}

function toResponse({ status, headers, body }: Answer, requestId: string): Response {
  const shown = isProblem(headers) ? { ...(body as object), status, request_id: requestId } : body
  return new Response(body === undefined ? null : JSON.stringify(shown), {
    status,
    headers: { ...headers, ...corsHeaders, 'x-request-id': requestId },
  })
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
