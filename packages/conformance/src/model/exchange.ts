import type { HttpRequest, HttpResponse } from './http.ts'
import type { OperationView } from './operation-view.ts'

/** The parts of a request to an operation. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>
  /** A list is sent as a repeated parameter. Undefined leaves out a parameter, even a required one. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** The sender of a request: an identity of the run, or an authorization header; null sends no credentials. */
export type RequestIdentity = Identity | { readonly authorization: string } | null
export type Identity = 'partner' | 'customer' | 'other'

/** A request and its response. */
export interface Exchange {
  /** Undefined if the request matches no operation. */
  readonly view: OperationView | undefined
  readonly input: Input
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** The parsed body of the response; undefined if it is empty or not JSON. */
  readonly body: unknown
  /** Time of the response by the service's clock, in milliseconds since 1970; undefined if it is unknown. */
  readonly at?: number
}

/** Whether the status is 2xx. */
export function isSuccess({ response }: Pick<Exchange, 'response'>): boolean {
  return response.status >= 200 && response.status < 300
}
