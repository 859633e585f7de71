import type { HttpResponse } from '../model/http.ts'

/** A fault that a contract implies, without knowledge of the service. */
export interface MechanicalFault {
  /** Stable: derived from the kind, the operation, the place and the change. */
  readonly id: string
  /** `response`: responses are changed. `request`: a keyword of requests is not validated. */
  readonly kind: 'response' | 'request'
  readonly operation: string
  /** JSON pointer into the contract (RFC 6901). */
  readonly contract: string
  /** Ids of the rules that should report the fault; one of them is enough. */
  readonly rules: readonly string[]
  /** What the faulty service does, in a few words. */
  readonly describe: string
  readonly plant: ResponsePlant | RequestPlant
}

/** Changes all responses with a status. */
export interface ResponsePlant {
  readonly status: string
  /** The changed response; undefined if the change does not apply to it. */
  readonly change: (response: HttpResponse) => HttpResponse | undefined
}

/** Accepts requests that break one keyword and nothing else. */
export interface RequestPlant {
  /** The part of the request. */
  readonly place: 'body' | 'query' | 'media-type'
  /** JSON pointer into that part; `*` stands for any item. */
  readonly path: string
  /** JSON pointer into the contract, to the keyword. */
  readonly keyword: string
}

/** Replaces indices in a pointer by `*`. */
export function withWildcards(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}
