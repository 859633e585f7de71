/** One difference between a request or response and the contract, as listed in problem details. */
export interface Violation {
  /** JSON pointer into the body, or the name of the parameter. */
  pointer: string
  /** The violated keyword of the schema. */
  code: string
  /** What was expected, where, and what was received. */
  detail: string
}

interface Diagnostic {
  path?: string[]
  code?: string | number
  message: string
}

interface Parts {
  query: Record<string, unknown>
  headers: Record<string, unknown>
  body: unknown
}

/** Converts a diagnostic of Prism, a path and a sentence, to a violation. */
export function toViolation(diagnostic: Diagnostic, parts: Parts): Violation {
  const { path: [part = '', ...rest] = [], code = 'invalid', message } = diagnostic
  const missing = / required property '(.+)'$/.exec(message)?.[1]
  const steps = missing === undefined ? rest : [...rest, missing]
  const pointer = part === 'body' ? steps.map((step) => `/${step}`).join('') : (steps.at(-1) ?? '')
  const name = steps.length === 0 ? 'The body' : `"${steps.at(-1)}"`
  const detail =
    missing === undefined ? expectation(name, message, valueAt(parts, part, steps)) : `${name} is required.`
  return { pointer, code: String(code), detail }
}

/** Removes duplicates, since several branches of a schema may report the same violation. */
export function withoutRepeats(violations: Violation[]): Violation[] {
  return [
    ...new Map(violations.map((violation) => [`${violation.pointer} ${violation.code}`, violation])).values(),
  ]
}

function expectation(name: string, message: string, value: unknown): string {
  const requirement = / (must .+)$/s.exec(message)?.[1]
  if (requirement === undefined) return `${message}.`
  const expected = requirement.replace('equal to one of the allowed values:', 'one of')
  return `${name} ${expected}, got ${show(value)}.`
}

function valueAt(parts: Parts, part: string, steps: string[]): unknown {
  const root = part === 'query' ? parts.query : part === 'header' ? parts.headers : parts.body
  return steps.reduce<unknown>(propertyOf, root)
}

function propertyOf(value: unknown, step: string): unknown {
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** Shows only the type of an array or object, which may be nested too deeply for JSON.stringify. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object' && value !== null) return 'object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
