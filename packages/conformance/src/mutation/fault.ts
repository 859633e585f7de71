import type { HttpResponse } from '../model/http.ts'

/** A way in which a service can be wrong that the contract itself names, with no knowledge of the service. */
export interface MechanicalFault {
  /** Stable: made of the kind, the operation, the place and what is done there. */
  readonly id: string
  /** answer: what the service says is changed. check: a keyword of requests is not looked at. */
  readonly kind: 'answer' | 'check'
  readonly operation: string
  /** JSON pointer into the contract (RFC 6901), to what is broken. */
  readonly contract: string
  /** Ids of the rules that should name it; one of them is enough. */
  readonly rules: readonly string[]
  /** What the service does, in a few words. */
  readonly describe: string
  readonly plant: ResponsePlant | RequestPlant
}

/** Changes each answer of one status. */
export interface ResponsePlant {
  readonly status: string
  /** Undefined where this answer has nothing to change. */
  readonly change: (response: HttpResponse) => HttpResponse | undefined
}

/** Lets a request pass that breaks one keyword and nothing else. */
export interface RequestPlant {
  /** The part of the request. */
  readonly place: 'body' | 'query' | 'media-type'
  /** JSON pointer into that part, in which `*` is any item. */
  readonly path: string
  /** The keyword that is not looked at, as a pointer into the contract. */
  readonly keyword: string
}

/** A pointer in which each number is `*`. */
export function withWildcards(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}
