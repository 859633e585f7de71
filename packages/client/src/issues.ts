import { expected, kindOf } from '@partner-payments/text'

/** A difference between a response and the contract. */
export interface Issue {
  /** JSON pointer into the response body (RFC 6901); empty for the whole body and for the status. */
  readonly pointer: string
  /** What was expected and what type was received; never the value, which may be personal. */
  readonly message: string
  /**
   * The open question whose assumption the response differs from: a deviation, not a failure of the service. Absent if
   * the response contradicts the service's own document.
   */
  readonly question?: string
}

/** An error object of ajv. */
export interface SchemaError {
  /** JSON pointer to the value. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: { readonly missingProperty?: string }
  /** The keyword's value. */
  readonly schema: unknown
  readonly parentSchema: { readonly 'x-questions'?: string | Readonly<Record<string, string>> }
  readonly data: unknown
}

/** A compiled schema. */
export interface Check {
  (data: unknown): boolean
  readonly errors?: readonly SchemaError[] | null
}

/** The checks of an operation's response bodies by status; null if there is no body. */
export interface Row {
  readonly [status: number]: Check | null
  /** The open question about the status of a success, if it is an assumption. */
  readonly question?: string
  /** The open question about the whole body of a success, if it is an assumption. */
  readonly bodyQuestion?: string
}

/** The issues of a body without duplicates. `question` is the open question about the whole body, if any. */
export function issuesOf(check: Check, body: unknown, question?: string): Issue[] {
  if (check(body)) return []
  // `if` only reports that a branch failed; the branch reports the errors.
  const errors = (check.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  const issues = errors.map((error) => issueOf(error, question))
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}

function issueOf(error: SchemaError, ofBody: string | undefined): Issue {
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
function questionOf({ keyword, params, parentSchema }: SchemaError): string | undefined {
  const { 'x-questions': questions } = parentSchema
  if (typeof questions === 'string') return questions
  const own = questions?.[`required ${params.missingProperty}`] ?? questions?.[keyword]
  return own ?? (keyword === 'enum' ? 'versioning' : undefined)
}
