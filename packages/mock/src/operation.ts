import type { Violation } from './violations.ts'

/** An operation of the contract: what the mock reads of it, and what Prism can do with it. */
export interface Operation {
  id: string
  method: string
  path: string
  /** The HTTP authentication scheme that the operation takes, in lower case; undefined where it takes none. */
  scheme: string | undefined
  takesBody: boolean
  echoes: Echoes
  requestExamples: Example[]
  responses: DeclaredResponse[]
  /** What a request breaks. Credentials are not looked at. */
  checkRequest(input: Input): Promise<Violation[]>
  /** What an answer breaks. */
  checkAnswer(answer: Answer): Promise<Violation[]>
  /** Makes an answer: an example of the contract, or one invented from its schema. */
  sample(wish: Wish): Promise<Answer>
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

/** A request, taken apart. */
export interface Input {
  path: string
  query: Record<string, string | string[]>
  headers: Record<string, string>
  body: unknown
}

/** Which answer is wanted; the first example of the success by default. */
export interface Wish {
  code?: number
  example?: string
  dynamic?: boolean
}

/** Request expressions by response expression, as `x-echoes` of the contract pairs them. */
export type Echoes = Readonly<Record<string, string>>

export interface Answer {
  status: number
  headers: Record<string, string>
  body: unknown
}
