import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { decoded, messageOf } from '@partner-payments/text'
import type { NotFound } from '@partner-payments/validator'
import { corsHeaders, preflight } from './cors.ts'
import type { MockResponse } from './operation.ts'
import { loadOperations, type Operations } from './operations.ts'
import { createProblems, isProblem, newRequestId, Refusal } from './problems.ts'
import { responseTo } from './response.ts'

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
  const operations = await loadOperations([options.contract ?? [contract, guide]].flat())
  const toProblem = createProblems(operations.all)

  return {
    async fetch(request) {
      const started = performance.now()
      const requestId = newRequestId()
      const { pathname } = new URL(request.url)
      const found = operations.find(request.method, pathname)
      const subject = `${request.method} ${pathname}`
      const response = await respond(request, operations, found, dynamic)
        .then((it) => toResponse(it, requestId))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) log(`${subject}: ${messageOf(error)} (${requestId})`)
          return toResponse(toProblem(error), requestId)
        })
      const id = 'id' in found ? found.id : '-'
      if (verbose)
        log(`${subject} -> ${response.status} ${id} ${Math.round(performance.now() - started)} ms`)
      return response
    },
  }
}

async function respond(
  request: Request,
  { all }: Operations,
  found: ReturnType<Operations['find']>,
  dynamic: boolean,
): Promise<MockResponse> {
  const { method, url } = request
  if (method === 'OPTIONS') return { status: 204, headers: preflight(request), body: undefined }
  const { pathname } = new URL(url)
  if (decoded(pathname) === undefined)
    throw new Refusal('invalid_request', { detail: 'The path has an invalid percent-encoding.' })
  if (!('id' in found)) throw noOperation(`${method} ${shortened(pathname)}`, found)
  const response = await responseTo(found, request, dynamic)
  if (response.status !== 405) return response
  const methods = all.filter(({ path }) => path === found.path).map((it) => it.method)
  return { ...response, headers: { ...response.headers, allow: methods.join(', ') } }
}

function noOperation(call: string, { allow, otherSlash }: Omit<NotFound, 'found'>): Refusal {
  const detail =
    otherSlash &&
    `No operation at ${call}. Trailing slashes matter: did you mean ${otherSlash.path}?`
  if (allow.length === 0) return new Refusal('not_found', { detail: detail ?? NO_PATH })
  return new Refusal('method_not_allowed', {
    headers: { allow: allow.join(', ') },
    ...(detail && { detail }),
  })
}

const NO_PATH = 'No operation at this path. Check its prefix and slashes.'

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}

function toResponse({ status, headers, body }: MockResponse, requestId: string): Response {
  const content = isProblem(headers) ? { ...(body as object), status, request_id: requestId } : body
  return new Response(body === undefined ? null : JSON.stringify(content), {
    status,
    headers: { ...headers, ...corsHeaders, 'x-request-id': requestId },
  })
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
