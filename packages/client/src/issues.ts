import { expected, kindOf } from '@partner-payments/contract'
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
  const issues = new Map<string, Issue>()
  for (const error of errors) {
    const issue = issueOf(error, question)
    issues.set(JSON.stringify(issue), issue)
  }
  return [...issues.values()]
}

function issueOf(error: ErrorObject, bodyQuestion: string | undefined): Issue {
  const wanted = expected(error.keyword, error.schema)
  const question = questionOf(error) ?? bodyQuestion
  const source = question === undefined ? {} : { question }

  const { missingProperty } = error.params
  if (missingProperty !== undefined) {
    return {
      pointer: `${error.instancePath}/${missingProperty}`,
      message: `expected ${wanted}, got nothing`,
      ...source,
    }
  }

  return {
    pointer: error.instancePath,
    message: `expected ${wanted}, got ${kindOf(error.data)}`,
    ...source,
  }
}

/** A new enum value is a deviation, whether the enum is marked or not (assumption `versioning`). */
function questionOf({ keyword, params, parentSchema }: ErrorObject): string | undefined {
  const questions = parentSchema?.['x-questions']
  if (typeof questions === 'string') return questions
  const ofProperty = questions?.[`required ${params.missingProperty}`]
  const ofKeyword = questions?.[keyword]
  const ofEnum = keyword === 'enum' ? 'versioning' : undefined
  return ofProperty ?? ofKeyword ?? ofEnum
}
