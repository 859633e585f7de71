import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Answer, Operation } from './operation.ts'
import type { Violation } from './violations.ts'

/** The media type of RFC 9457. */
export const problemType = 'application/problem+json'

/** What the mock refuses of its own accord, and with which status. */
const statuses = {
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

type Code = keyof typeof statuses

interface RefusalOptions extends ErrorOptions {
  detail?: string
  errors?: Violation[]
  headers?: Record<string, string>
}

/** A request that is not answered as it asked. It becomes HTTP in createProblems, and nowhere else. */
export class Refusal extends Error {
  readonly code: Code
  readonly options: RefusalOptions

  constructor(code: Code, options: RefusalOptions = {}) {
    super(options.detail ?? code, options)
    this.code = code
    this.options = options
  }
}

/** Turns what was thrown into problem details: the contract's own example of the code, with what is true here. */
export function createProblems(operations: Operation[]): (error: unknown) => Answer {
  const examples = examplesByCode(operations)
  return (error) => {
    const { code, options } = error instanceof Refusal ? error : new Refusal('internal_error')
    const { detail, errors, headers } = options
    const { errors: _, ...example } = examples.get(code) ?? plain(code)
    return {
      status: statuses[code],
      headers: { ...headers, 'content-type': problemType },
      body: { ...example, ...(detail && { detail }), ...(errors && { errors }) },
    }
  }
}

/** A name for one answer, in the header x-request-id and in problem details. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '').slice(0, 20)}`
}

/** Whether headers announce problem details. */
export function isProblem(headers: Record<string, string>): boolean {
  return headers['content-type'] === problemType
}

function examplesByCode(operations: Operation[]): Map<unknown, Problem> {
  const responses = operations.flatMap((operation) => operation.responses).filter(({ problem }) => problem)
  const problems = responses.flatMap(({ examples }) => examples.map(({ value }) => value as Problem))
  return new Map(problems.map((problem) => [problem.code, problem]))
}

/** For a contract that has no example of the code. */
function plain(code: Code): Problem {
  const title = STATUS_CODES[statuses[code]]
  return { type: 'about:blank', title, detail: `${title}.`, code }
}
