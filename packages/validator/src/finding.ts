/**
 * The part of a message that a finding is about.
 *
 * @example
 * const place: Place = 'media-type'
 */
export type Place = 'method' | 'path' | 'query' | 'header' | 'status' | 'media-type' | 'body'

/**
 * A difference between a message and the contract.
 *
 * @example
 * const findings: Finding[] = createValidator().validateRequest({ method: 'GET', path: '/' })
 * for (const { place, pointer, message } of findings) console.log(`${place}${pointer}: ${message}`)
 */
export interface Finding {
  /** The part of the message. */
  readonly place: Place
  /**
   * JSON pointer (RFC 6901) into that part: `/users/0/id` of a body, `/limit` of a query. Empty for
   * the whole part.
   */
  readonly pointer: string
  /** JSON pointer to the failed keyword in the document. */
  readonly contract: string
  /**
   * The failed keyword of JSON Schema or OpenAPI; `unknown` for a property that the contract does
   * not declare.
   */
  readonly keyword: string
  /** What was expected and what type was received; never the value, which may be personal. */
  readonly message: string
  /** The open question about the keyword, if it is an assumption. Absent if it is a fact. */
  readonly question?: string
}

/** Creates a finding; omits an undefined `question`. */
export function finding(
  difference: Omit<Finding, 'question'>,
  question: string | undefined,
): Finding {
  if (question === undefined) return difference
  return { ...difference, question }
}
