import type { Finding } from '@partner-payments/validator'

/**
 * An operation as Prism reads it, with the functions of Prism that the mock uses. Not a row of the
 * table: the mock serves any document that is given, as Prism understands it.
 */
export interface Operation {
  id: string
  method: string
  path: string
  /** The HTTP authentication scheme in lower case; undefined if the operation needs none. */
  scheme: string | undefined
  takesBody: boolean
  /** Headers of each response, if the operation is deprecated. */
  deprecation: Readonly<Record<string, string>>
  echoes: Echoes
  requestExamples: Example[]
  responses: DeclaredResponse[]
  /** Where a request differs from the contract, except in its credentials. */
  findingsIn(request: Request, body: unknown): Finding[]
  /** Where a response differs from the contract. */
  findingsInResponse(response: MockResponse): Finding[]
  /** Returns an example of the contract, or a response generated from its schema. */
  sample(preference: Preference): Promise<MockResponse>
}

export interface DeclaredResponse {
  status: number
  problem: boolean
  examples: Example[]
}

export interface Example {
  name: string
  value: unknown
}

/** The response that a request prefers; by default the first example of the success. */
export interface Preference {
  code?: number
  example?: string
  dynamic?: boolean
}

/** Request expressions with the response expressions that repeat them, from `x-echoes`. */
export type Echoes = Readonly<Record<string, string>>

export interface MockResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}
