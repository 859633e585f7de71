import { parseJson, readCopy } from './body.ts'
import { DecodeError, type Issue } from './errors.ts'
import { responseChecks } from './generated/response-checks.ts'
import { type Check, listIssues, type Row } from './issues.ts'
import type { Attempt, Fetch } from './options.ts'

/** Options of `validation`. */
export interface ValidationOptions {
  /**
   * `report`, the default, calls `onIssues`; it changes no outcome.
   * `enforce` also throws a `DecodeError` if a success contradicts the service's own document.
   */
  readonly mode?: 'report' | 'enforce'
  /**
   * Called for each response, of any status, that has issues. Errors that it throws are dropped.
   */
  readonly onIssues?: (found: FoundIssues) => unknown
  /** Sends the attempt. Default: the global `fetch`. */
  readonly fetch?: Fetch
}

/** A response that differs from the contract. */
export interface FoundIssues {
  readonly operationId: string
  /** The HTTP status. */
  readonly status: number
  readonly issues: readonly Issue[]
}

/**
 * A `fetch` that checks the status and the body of each response against the contract, without
 * `eval`.
 *
 * - An issue with a `question` deviates from an assumption. It is reported, never enforced. The
 *   same applies to a new enum value.
 * - Other issues contradict the service's own document. With `enforce` they throw a `DecodeError`
 *   with these `issues`.
 * - Operations of effect `once` never throw it: a completed payment stays a success, even if its
 *   response is wrong.
 * - An error response stays an `HttpError`.
 * - The check of a list stops after 1,000 issues.
 *
 * @example
 * const onIssues = ({ operationId, issues }: FoundIssues) => console.warn(operationId, issues)
 * const fetch = validation({ mode: 'enforce', onIssues })
 * const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret }, fetch })
 */
export function validation(options: ValidationOptions = {}): Fetch {
  const { mode = 'report', onIssues, fetch: send = (url, init) => fetch(url, init) } = options
  return async (url, init, attempt) => {
    const response = await send(url, init, attempt)
    const text = await readCopy(response, attempt)
    // The client reports a body that cannot be read.
    if (text === undefined) return response

    const { operationId } = attempt
    const { ok, status } = response
    const issues = findIssues(operationId, response, text)
    const report = async () => onIssues?.({ operationId, status, issues })
    // Errors are dropped: code that observes a payment must not decide its outcome.
    if (issues.length > 0) report().catch(() => {})
    if (mode === 'enforce' && ok) enforce(attempt, issues)
    return response
  }
}

/**
 * Checks a response against the contract. Returns an issue if its status is not declared, then the
 * issues of its body. Empty if the response is as declared.
 */
function findIssues(operationId: string, { ok, status }: Response, text: string): Issue[] {
  const row: Row | undefined = responseChecks[operationId]
  if (!row) return []

  // `checks` has a validator of the body for each status that the contract declares.
  const { question, bodyQuestion, ...checks } = row
  // The row has the questions about a success. Which statuses errors have is the question `errors`.
  const questionOfStatus = ok ? question : 'errors'
  const questionOfBody = ok ? bodyQuestion : undefined

  const issues: Issue[] = []
  const isDeclared = status in checks
  if (!isDeclared) issues.push(createStatusIssue(Object.keys(checks), status, questionOfStatus))

  const bodyCheck = chooseBodyCheck(checks, status, ok)
  if (bodyCheck) issues.push(...listIssues(bodyCheck, parseJson(text), questionOfBody))
  return issues
}

type Checks = Readonly<Record<number, Check | null>>

/**
 * The validator of the body, from those by status, such as `{ 200: check, 204: null }`: null stands
 * for a status without a body. None if the contract declares no body that it could be.
 */
function chooseBodyCheck(checks: Checks, status: number, ok: boolean): Check | undefined {
  if (status in checks) return checks[status] ?? undefined
  if (!ok) return undefined

  // An undeclared success has the body of the first declared status, which is a success.
  const [firstCheck] = Object.values(checks)
  return firstCheck ?? undefined
}

/** The issue of a status that the contract does not declare. */
function createStatusIssue(
  declared: readonly string[],
  status: number,
  question: string | undefined,
): Issue {
  const message = `expected status ${declared.join(' or ')}, got ${status}`
  if (question === undefined) return { pointer: '', message }
  return { pointer: '', message, question }
}

/**
 * Throws a `DecodeError` if an issue contradicts a fact, unless the operation may have made a
 * payment: a payment stays a success, even if its response is wrong.
 */
function enforce(attempt: Attempt, issues: readonly Issue[]): void {
  if (attempt.effect === 'once') return
  const [first, ...more] = issues.filter(({ question }) => question === undefined)
  if (!first) return

  const rest = more.length > 0 ? ` (and ${more.length} more)` : ''
  const message = `${first.pointer || 'the response'}: ${first.message}${rest}`
  throw new DecodeError(attempt, message, { issues })
}
