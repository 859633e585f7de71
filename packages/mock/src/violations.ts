/** One place where a request or an answer breaks the contract, as problem details list it. */
export interface Violation {
  /** JSON pointer to the member of the body, or the name of the parameter. */
  pointer: string
  /** The keyword of the schema that is broken. */
  code: string
  /** What, where, and what was expected. */
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

/** Reads a finding of Prism, which is a path and a sentence, back into a place and an expectation. */
export function toViolation(diagnostic: Diagnostic, parts: Parts): Violation {
  const { path: [part = '', ...rest] = [], code = 'invalid', message } = diagnostic
  const missing = / required property '(.+)'$/.exec(message)?.[1]
  const steps = missing === undefined ? rest : [...rest, missing]
  const pointer = part === 'body' ? steps.map((step) => `/${step}`).join('') : (steps.at(-1) ?? '')
  const name = steps.length === 0 ? 'The body' : `"${steps.at(-1)}"`
  const detail =
    missing === undefined ? expectation(name, message, valueAt(parts, part, steps)) : `${name} must be there.`
  return { pointer, code: String(code), detail }
}

/** Several branches of a schema may complain of one thing in one place. */
export function withoutRepeats(violations: Violation[]): Violation[] {
  return [
    ...new Map(violations.map((violation) => [`${violation.pointer} ${violation.code}`, violation])).values(),
  ]
}

function expectation(name: string, message: string, value: unknown): string {
  const words = / (must .+)$/s.exec(message)?.[1]
  if (words === undefined) return `${message}.`
  const expected = words.replace('equal to one of the allowed values:', 'one of')
  return `${name} ${expected}, got ${show(value)}.`
}

function valueAt(parts: Parts, part: string, steps: string[]): unknown {
  const root = part === 'query' ? parts.query : part === 'header' ? parts.headers : parts.body
  return steps.reduce<unknown>(member, root)
}

function member(value: unknown, step: string): unknown {
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** A composite value is named only: it may be nested deeper than JSON.stringify can go. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object' && value !== null) return 'object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
