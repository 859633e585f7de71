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
 * Validates a body and returns what is wrong with it, without duplicates. `question` is the open
 * question about the whole body, if any: then each issue rests on an assumption.
 */
export function listIssues(check: Check, body: unknown, question?: string): Issue[] {
  if (check(body)) return []
  // `if` only reports that a branch failed; the branch reports the errors.
  const errors = (check.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  const issues = new Map<string, Issue>()
  for (const error of errors) {
    const issue = toIssue(error, question)
    issues.set(JSON.stringify(issue), issue)
  }
  return [...issues.values()]
}

/**
 * Converts an error of ajv, the validator, to an issue: where it is and what was expected there.
 * `question` is the open question that the rule rests on, if it is an assumption and no fact.
 */
function toIssue(error: ErrorObject, bodyQuestion: string | undefined): Issue {
  const { keyword, schema, instancePath, params, data } = error
  const isMissing = params.missingProperty !== undefined
  const pointer = isMissing ? `${instancePath}/${params.missingProperty}` : instancePath
  const got = isMissing ? 'nothing' : kindOf(data)
  const message = `expected ${expected(keyword, schema)}, got ${got}`

  const question = findQuestion(error) ?? bodyQuestion
  return question === undefined ? { pointer, message } : { pointer, message, question }
}

/**
 * The marks of a schema in the compiled checks: the question of the schema as a whole, or those of
 * its keywords. `required` is about the object, and `required name` about one of its properties.
 *
 * @example
 * { enum: 'transfer-statuses', 'required fee': 'fees' }
 */
type Marks = string | Readonly<Record<string, string>>

/**
 * The open question that a broken rule rests on, such as `fees`; undefined if the rule is a fact of
 * the service's document. The schema names it under `x-questions`: one question for the whole schema,
 * or one for each keyword, such as `{ enum: 'transfer-statuses', 'required fee': 'fees' }`.
 */
function findQuestion({ keyword, params, parentSchema }: ErrorObject): string | undefined {
  const marks: Marks = parentSchema?.['x-questions'] ?? {}
  const isOfWholeSchema = typeof marks === 'string'
  if (isOfWholeSchema) return marks

  // Only the error of a missing property has its name; any other one finds no mark by it.
  const questionOfMissing = marks[`required ${params.missingProperty}`]
  const question = questionOfMissing ?? marks[keyword]
  if (question !== undefined) return question

  // The document shows some values of an enum, not all: a new one never contradicts it. Whether the
  // service may add values is the question `versioning`.
  return keyword === 'enum' ? 'versioning' : undefined
}
