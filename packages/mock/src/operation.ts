import type { Violation } from './violations.ts'

/** An operation of the contract, with the functions of Prism that the mock uses. */
export interface Operation {
  id: string
  method: string
  path: string
  /** The HTTP authentication scheme in lower case; undefined if the operation needs none. */
  scheme: string | undefined
  takesBody: boolean
  echoes: Echoes
  requestExamples: Example[]
  responses: DeclaredResponse[]
  /** Returns the violations of a request. Does not check credentials. */
  checkRequest(input: Input): Promise<Violation[]>
  /** Returns the violations of a response. */
  checkResponse(response: MockResponse): Promise<Violation[]>
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

/** The parts of a request. */
export interface Input {
  path: string
  query: Record<string, string | string[]>
  headers: Record<string, string>
  body: unknown
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
