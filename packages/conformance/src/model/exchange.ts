import type { HttpRequest, HttpResponse } from './http.ts'
import type { OperationView } from './operation-view.ts'

/** What a request of an operation is made of. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>
  /** A list is sent as one parameter that comes as often; what is undefined is left out, though it is required. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  /** A value to be sent as JSON, or as a form where the operation takes one. */
  readonly body?: unknown
}

/** Who sends a request: a name of one of the run's identities, or a header of authorization; null sends none. */
export type RequestIdentity = Identity | { readonly authorization: string } | null
export type Identity = 'partner' | 'customer' | 'other'

/** A request and its answer. */
export interface Exchange {
  /** Undefined of a request that means no operation. */
  readonly view: OperationView | undefined
  readonly input: Input
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** The body of the answer, parsed; undefined where it is empty or no JSON. */
  readonly body: unknown
  /** When it was answered, by the service's clock; milliseconds since 1970, undefined where nobody knows. */
  readonly at?: number
}

/** The path of an operation, with its parameters and query. */
export function pathOf({ path }: Pick<OperationView, 'path'>, input: Input): string {
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name: string) =>
    encodeURIComponent(input.path?.[name] ?? ''),
  )
  const pairs = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().map((it): [string, string] => [name, it]),
  )
  const query = new URLSearchParams(pairs).toString()
  return query ? `${filled}?${query}` : filled
}

/** Whether the service did what it was asked for. */
export function isSuccess({ response }: Pick<Exchange, 'response'>): boolean {
  return response.status >= 200 && response.status < 300
}
