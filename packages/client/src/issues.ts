import { expected, kindOf } from '@partner-payments/text'
import type { ErrorObject } from 'ajv'
import type { Issue } from './errors.ts'

/** A schema that ajv compiled. */
export interface Check {
  (data: unknown): boolean
  readonly errors?: readonly ErrorObject[] | null
}

/** The checks of an operation's response bodies by status; null if there is no body. */
export interface Row {
  readonly [status: number]: Check | null
  /** The open question about the status of a success, if it is an assumption. */
  readonly question?: string
  /** The open question about the whole body of a success, if it is an assumption. */
  readonly bodyQuestion?: string
}

/**
 * The issues of a body without duplicates. `question` is the open question about the whole body, if
 * any.
 */
export function issuesOf(check: Check, body: unknown, question?: string): Issue[] {
  if (check(body)) return []
  // `if` only reports that a branch failed; the branch reports the errors.
  const errors = (check.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  const issues = errors.map((error) => issueOf(error, question))
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}

function issueOf(error: ErrorObject, ofBody: string | undefined): Issue {
  const { instancePath, params, keyword, schema } = error
  const { missingProperty: missing } = params
  const question = questionOf(error) ?? ofBody
  return {
    pointer: missing === undefined ? instancePath : `${instancePath}/${missing}`,
    message: `expected ${expected(keyword, schema)}, got ${missing === undefined ? kindOf(error.data) : 'nothing'}`,
    ...(question !== undefined && { question }),
  }
}

/** A new enum value is a deviation, whether the enum is marked or not (assumption `versioning`). */
function questionOf({ keyword, params, parentSchema }: ErrorObject): string | undefined {
  const questions = parentSchema?.['x-questions']
  if (typeof questions === 'string') return questions
  const own = questions?.[`required ${params.missingProperty}`] ?? questions?.[keyword]
  return own ?? (keyword === 'enum' ? 'versioning' : undefined)
}
