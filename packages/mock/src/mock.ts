import { decoded, messageOf } from '@partner-payments/contract'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { NotFound } from '@partner-payments/validator'
import { createAbout } from './about.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import type { MockResponse, Operation } from './operation.ts'
import { loadOperations, type Operations, type Target } from './operations.ts'
import { createProblems, isProblem, newRequestId, Refusal } from './problems.ts'
import { createResponse } from './response.ts'

/** Options of a mock. */
export interface MockOptions {
  /**
   * One or more bundled OpenAPI 3.1 documents, which are not modified. Default: the partner
   * payments contract and the short paths of its guide.
   */
  contract?: object | readonly object[]
  /** Generates responses from the schemas instead of returning the examples. Default: false. */
  dynamic?: boolean
  /** Logs a line for every request. Default: false. Internal errors are always logged. */
  verbose?: boolean
  /** Receives the log lines. Default: writes to stderr. */
  log?: (line: string) => void
}

/** A stateless mock of the service. */
export interface Mock {
  /** Responds to a request. Never rejects: errors become problem details (RFC 9457). */
  fetch(request: Request): Promise<Response>
}

/**
 * Creates a mock that responds to requests without a socket.
 *
 * @example
 * const mock = await createMock()
 * const response = await mock.fetch(
 *   new Request('http://mock/mobile-bff/v1/partner/user', { headers: { authorization: 'Bearer any' } }),
 * )
 *
 * @throws {Error} when a document is not OpenAPI 3.1, a reference in it cannot be resolved, or two
 *   documents describe the same method and path
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  const { dynamic = false, verbose = false, log = toStderr } = options
  const documents = [options.contract ?? [contract, guide]].flat()
  const operations = await loadOperations(documents)
  const toProblem = createProblems(operations.all)
  const about = createAbout()

  return {
    /**
     * Responds to one request. An error becomes a response of the contract too, and is logged
     * unless the request caused it.
     */
    async fetch(request) {
      const startedAt = performance.now()
      const requestId = newRequestId()
      const { pathname } = new URL(request.url)
      const subject = `${request.method} ${pathname}`
      const target = operations.find(request.method, pathname)

      const deprecation = target.found ? target.operation.deprecation : {}
      const exchangeHeaders = { ...deprecation, 'x-request-id': requestId }

      let response: Response
      try {
        const content = await createContent(request, target)
        response = toResponse(content, exchangeHeaders)
      } catch (error) {
        const isRefusal = error instanceof Refusal
        if (!isRefusal) log(`${subject}: ${messageOf(error)} (${requestId})`)
        response = toResponse(toProblem(error), exchangeHeaders)
      }

      if (verbose) {
        const id = target.found ? target.operation.id : '-'
        const durationMs = Math.round(performance.now() - startedAt)
        log(`${subject} -> ${response.status} ${id} ${durationMs} ms`)
      }
      return response
    },
  }

  /** What the mock responds: what it is, if the request asks for that, or a response of the contract. */
  async function createContent(request: Request, target: Target): Promise<MockResponse> {
    const aboutResponse = about.createAboutResponse(request)
    if (aboutResponse) return aboutResponse

    const response = await respond(request, operations, target, dynamic)
    about.rememberToken(response)
    return response
  }
}

/**
 * The response to a request: to a preflight of a browser, or as the contract declares it. Throws a
 * Refusal if no operation has the method and the path.
 */
async function respond(
  request: Request,
  { all: operations }: Operations,
  target: Target,
  dynamic: boolean,
): Promise<MockResponse> {
  const { method, url } = request
  if (method === 'OPTIONS')
    return { status: 204, headers: preflightHeaders(request), body: undefined }

  const { pathname } = new URL(url)
  if (decoded(pathname) === undefined)
    throw new Refusal('invalid_request', { detail: 'The path has an invalid percent-encoding.' })

  if (!target.found) throw operationNotFound(`${method} ${shortened(pathname)}`, target)

  const response = await createResponse(target.operation, request, dynamic)
  return withAllow(response, operations, target.operation.path)
}

/** Adds the header `allow` to a 405: its example does not know the methods of this path. */
function withAllow(
  response: MockResponse,
  operations: readonly Operation[],
  path: string,
): MockResponse {
  if (response.status !== 405) return response

  const samePath = operations.filter((operation) => operation.path === path)
  const allow = samePath.map(({ method }) => method).join(', ')
  return { ...response, headers: { ...response.headers, allow } }
}

/**
 * The refusal of a request without an operation: 405 if the path has other methods, otherwise 404.
 * Suggests the path with or without a slash at its end if that has an operation.
 */
function operationNotFound(call: string, { allow, otherSlash }: NotFound): Refusal {
  const suggestion = otherSlash ? suggestPath(call, otherSlash.path) : undefined
  if (allow.length === 0) {
    const noPath = 'No operation at this path. Check its prefix and slashes.'
    return new Refusal('not_found', { detail: suggestion ?? noPath })
  }

  const headers = { allow: allow.join(', ') }
  if (suggestion === undefined) return new Refusal('method_not_allowed', { headers })
  return new Refusal('method_not_allowed', { headers, detail: suggestion })
}

function suggestPath(call: string, path: string): string {
  return `No operation at ${call}. Trailing slashes matter: did you mean ${path}?`
}

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}

/** Headers that depend on the request, and not on the content of the response. */
interface ExchangeHeaders extends Readonly<Record<string, string>> {
  readonly 'x-request-id': string
}

/**
 * A response of the mock as a `Response`, with the headers that every response has. Problem details
 * get the status and the request id of this response.
 */
function toResponse(
  { status, headers, body }: MockResponse,
  exchangeHeaders: ExchangeHeaders,
): Response {
  const init = { status, headers: { ...headers, ...corsHeaders, ...exchangeHeaders } }
  if (body === undefined) return new Response(null, init)
  if (!isProblem(headers)) return new Response(JSON.stringify(body), init)

  const problem = { ...(body as object), status, request_id: exchangeHeaders['x-request-id'] }
  return new Response(JSON.stringify(problem), init)
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
