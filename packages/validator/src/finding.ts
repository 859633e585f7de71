/**
 * The part of a message that a finding is about.
 *
 * @example
 * const place: Place = 'media-type'
 */
export type Place = 'method' | 'path' | 'query' | 'header' | 'cookie' | 'status' | 'media-type' | 'body'

/**
 * One thing in which a message breaks the contract.
 *
 * @example
 * const findings: Finding[] = createValidator().validateRequest({ method: 'GET', path: '/' })
 * for (const { place, pointer, message } of findings) console.log(`${place}${pointer}: ${message}`)
 */
export interface Finding {
  /** The part of the message. */
  readonly place: Place
  /** JSON pointer (RFC 6901) into that part: `/users/0/id` of a body, `/limit` of a query. Empty: all of it. */
  readonly pointer: string
  /** JSON pointer into the document, to the very keyword that is broken. */
  readonly contract: string
  /** The broken keyword of JSON Schema or OpenAPI; `unknown` of a member that the contract does not mention. */
  readonly keyword: string
  /** For people: what was expected and what kind of value came; never the value itself, which may be personal. */
  readonly message: string
  /** The open question whose answer the keyword is. Absent: the contract states it as a fact. */
  readonly question?: string
}

/** A finding, of which `question` is left out where there is none. */
export function finding(it: Omit<Finding, 'question'>, question: string | undefined): Finding {
  return question === undefined ? it : { ...it, question }
}
