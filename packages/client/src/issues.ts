import type { Issue } from './middleware.ts'

/** What ajv finds wrong with a value. */
export interface Fault {
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
  readonly errors?: readonly Fault[] | null
}

/** The answers of an operation: by status the check of the body, null where there is no body. */
export interface Row {
  readonly [status: number]: Check | null
  /** The open question that the status of a success answers. */
  readonly question?: string
  /** The open question that the whole body of a success answers. */
  readonly bodyQuestion?: string
}

/** Everything that a check has against a body, each thing once; `question` is that of the whole body, if there is one. */
export function issuesOf(check: Check, body: unknown, question?: string): Issue[] {
  if (check(body)) return []
  // That a branch was chosen is no fault of its own.
  const faults = (check.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  const issues = faults.map((fault) => issueOf(fault, question))
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}

function issueOf(fault: Fault, ofBody: string | undefined): Issue {
  const { instancePath, params } = fault
  const { missingProperty: missing } = params
  const question = questionOf(fault) ?? ofBody
  return {
    pointer: missing === undefined ? instancePath : `${instancePath}/${missing}`,
    message: `expected ${expected(fault)}, got ${missing === undefined ? kindOf(fault.data) : 'nothing'}`,
    ...(question !== undefined && { question }),
  }
}

/** Enumerations of responses may grow, marked or not: an assumption about the open question `versioning`. */
function questionOf({ keyword, params, parentSchema }: Fault): string | undefined {
  const { 'x-questions': questions } = parentSchema
  if (typeof questions === 'string') return questions
  const own = questions?.[`required ${params.missingProperty}`] ?? questions?.[keyword]
  return own ?? (keyword === 'enum' ? 'versioning' : undefined)
}

function expected({ keyword, schema }: Fault): string {
  const words: Readonly<Record<string, () => string>> = {
    required: () => 'a value',
    type: () => [schema].flat().map(named).join(' or '),
    enum: () => `one of ${(schema as unknown[]).map((it) => JSON.stringify(it)).join(', ')}`,
    const: () => JSON.stringify(schema),
    format: () => `string of format ${schema}`,
    pattern: () => `string that matches ${schema}`,
    minLength: () => `string of length ${schema} or more`,
    maxLength: () => `string of length ${schema} or less`,
    minimum: () => `${schema} or more`,
    maximum: () => `${schema} or less`,
    maxProperties: () => `${schema} properties or less`,
  }
  return words[keyword]?.() ?? `what "${keyword}" of the contract says`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  undefined: 'nothing',
}

function named(type: unknown): string {
  return NAMES[String(type)] ?? String(type)
}

/** What kind of value it is: of a string the length at most, since even a part of it may be personal. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `string of length ${[...value].length}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return named(Array.isArray(value) ? 'array' : typeof value)
}
