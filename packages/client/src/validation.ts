import { DecodeError } from './errors.ts'
import { answers } from './generated/answers.ts'
import { issuesOf, type Row } from './issues.ts'
import type { Attempt, Issue, Middleware, Reply } from './middleware.ts'

/** What `validation` takes. */
export interface ValidationOptions {
  /**
   * `report`, the default, changes no outcome: `issues` is on the result of a success, and `onIssues` is called.
   * `enforce` also throws a `DecodeError` where a success breaks what the service's document says.
   */
  readonly mode?: 'report' | 'enforce'
  /** Called for an answer of any status that has issues. What it throws is dropped. */
  readonly onIssues?: (found: FoundIssues) => unknown
}

/** An answer that is not what the contract says. */
export interface FoundIssues {
  readonly operationId: string
  /** The status of the answer. */
  readonly status: number
  readonly issues: readonly Issue[]
}

/**
 * A middleware that checks the status and the body of each answer against the contract, without `eval`.
 *
 * An issue with a `question` departs from an answer of ours, and the service is right: it is reported, never enforced.
 * So is a new value of an enumeration. Of the rest, which departs from the service's own document, `enforce` makes a
 * `DecodeError` with these `issues`, except for operations of effect `once`: a payment that was made is no failure,
 * however it is told. A refusal stays the `HttpError` that it is. A list is looked through up to 1,000 issues.
 *
 * @example
 * const onIssues = ({ operationId, issues }: FoundIssues) => console.warn(operationId, issues)
 * const middleware = [validation({ mode: 'enforce', onIssues })]
 * const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret }, middleware })
 */
export function validation({ mode = 'report', onIssues }: ValidationOptions = {}): Middleware {
  return async (attempt, next) => {
    const reply = await next(attempt)
    const { ok, status } = reply.response
    const { operationId } = attempt
    const issues = check(operationId, reply)
    if (issues.length > 0) void tell(onIssues, { operationId, status, issues })
    if (mode === 'enforce' && ok) enforce(attempt, issues)
    return { ...reply, issues }
  }
}

function check(operationId: string, { response: { ok, status }, data }: Reply): Issue[] {
  const row: Row | undefined = answers[operationId]
  if (!row) return []
  const { question, bodyQuestion, ...checks } = row
  const body = status in checks ? checks[status] : ok && Object.values(checks)[0]
  const statuses = status in checks ? [] : [undeclared(Object.keys(checks), status, ok ? question : 'errors')]
  return [...statuses, ...(body ? issuesOf(body, data, ok ? bodyQuestion : undefined) : [])]
}

function undeclared(declared: readonly string[], status: number, question: string | undefined): Issue {
  const message = `expected status ${declared.join(' or ')}, got ${status}`
  return { pointer: '', message, ...(question !== undefined && { question }) }
}

/** Whoever watches a payment must not decide its outcome. */
async function tell(onIssues: ValidationOptions['onIssues'], found: FoundIssues): Promise<void> {
  try {
    await onIssues?.(found)
  } catch {}
}

function enforce(attempt: Attempt, issues: readonly Issue[]): void {
  const broken = issues.filter(({ question }) => question === undefined)
  if (attempt.effect === 'once' || broken.length === 0) return
  const [first, ...more] = broken.map(({ pointer, message }) => `${pointer || 'the response'}: ${message}`)
  const rest = more.length > 0 ? ` (and ${more.length} more)` : ''
  throw new DecodeError(attempt, `${first}${rest}`, undefined, issues)
}
