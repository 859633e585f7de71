/** A difference between a request and the contract, as the validator finds it. */
interface Finding {
  /** The part of the request, such as `body` or `query`. */
  readonly place: string
  readonly pointer: string
  readonly keyword: string
  readonly message: string
}

/** What the problem details of a refused request say about the request. */
interface Description {
  readonly detail: string
  readonly errors: FieldError[]
}

interface FieldError {
  /** JSON pointer into the body, or the name of the parameter. */
  readonly pointer: string
  /** The failed keyword of the schema. */
  readonly code: string
  readonly detail: string
}

/** The most errors in a refusal. */
const MAX_ERRORS = 100

/** Describes the findings in a request, in the same words for the mock and the sandbox. */
export function describeFindings(findings: readonly Finding[]): Description {
  const places = findings.length === 1 ? '1 place' : `${findings.length} places`
  return {
    detail: `The request breaks the contract in ${places}.`,
    errors: findings.slice(0, MAX_ERRORS).map(toFieldError),
  }
}

/**
 * Converts a finding of the validator to an entry of `errors` in problem details. A finding is one
 * place of a request that breaks a rule; its keyword is the rule, such as `maxLength`.
 */
function toFieldError({ place, pointer, keyword, message }: Finding): FieldError {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const isWholePlace = name === ''
  const subject = isWholePlace ? `The ${place}` : `"${name}"`
  return {
    // A parameter has no fields in it.
    pointer: place === 'body' ? pointer : name,
    code: keyword,
    detail: `${subject}: ${message}.`,
  }
}
