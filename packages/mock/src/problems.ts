import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { MockResponse, Operation } from './operation.ts'

/** The media type of RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json'

/** The status of each error code that the mock itself returns. */
const STATUSES = {
  malformed_body: 400,
  invalid_request: 400,
  invalid_credentials: 401,
  invalid_token: 401,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  internal_error: 500,
}

type Problem = Record<string, unknown>

type Code = keyof typeof STATUSES

/** One difference between a request and the contract. */
export interface ProblemError {
  /** JSON pointer into the body, or the name of the parameter. */
  pointer: string
  /** The failed keyword of the schema. */
  code: string
  detail: string
}

interface RefusalOptions extends ErrorOptions {
  detail?: string
  errors?: ProblemError[]
  headers?: Record<string, string>
}

/** A refused request. Only createProblems turns it into an HTTP response. */
export class Refusal extends Error {
  readonly code: Code
  readonly options: RefusalOptions

  constructor(code: Code, options: RefusalOptions = {}) {
    super(options.detail ?? code, options)
    this.code = code
    this.options = options
  }
}

/**
 * Creates the function that turns an error into problem details: the contract's example of its
 * code, with the details of this request. An error that is no Refusal is an internal error.
 */
export function createProblems(operations: readonly Operation[]): (error: unknown) => MockResponse {
  const examples = listExamplesByCode(operations)
  return (error) => {
    const { code, options } = error instanceof Refusal ? error : new Refusal('internal_error')
    const { detail, errors, headers } = options
    // The errors of the example are those of another request.
    const { errors: _, ...problem } = examples.get(code) ?? fallback(code)
    if (detail) problem.detail = detail
    if (errors) problem.errors = errors
    return {
      status: STATUSES[code],
      headers: { ...headers, 'content-type': PROBLEM_TYPE },
      body: problem,
    }
  }
}

/** A request id, for the x-request-id header and problem details. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '').slice(0, 20)}`
}

/** Whether headers announce problem details. */
export function isProblem(headers: Record<string, string>): boolean {
  return headers['content-type'] === PROBLEM_TYPE
}

/** The examples of error responses by their code. */
function listExamplesByCode(operations: readonly Operation[]): Map<unknown, Problem> {
  const byCode = new Map<unknown, Problem>()
  for (const response of operations.flatMap((operation) => operation.responses)) {
    if (!response.problem) continue

    for (const { value } of response.examples) {
      const problem = value as Problem
      byCode.set(problem.code, problem)
    }
  }
  return byCode
}

/** The fallback for a contract without an example of the code. */
function fallback(code: Code): Problem {
  const title = STATUS_CODES[STATUSES[code]]
  return { type: 'about:blank', title, detail: `${title}.`, code }
}
