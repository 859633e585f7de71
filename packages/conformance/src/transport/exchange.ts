import type { OperationView } from '../model/operation-view.ts'
import type { Call, Reply } from './transport.ts'

/** What a request of an operation is made of. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>
  /** A list is sent as one parameter that comes as often; what is undefined is left out, though it is required. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  /** A value to be sent as JSON. */
  readonly body?: unknown
}

/** Who sends a request: a name of one of the run's identities, or a header of authorization; null sends none. */
export type Who = Identity | { readonly authorization: string } | null
export type Identity = 'partner' | 'customer' | 'other'

/** A request and its answer. */
export interface Exchange {
  /** Undefined of a request that means no operation. */
  readonly view: OperationView | undefined
  readonly input: Input
  readonly call: Call
  readonly reply: Reply
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

/** The body of an answer, where it is JSON. */
export function parsed({ text, headers }: Reply): unknown {
  return isJson(headerOf(headers, 'content-type')) ? jsonIn(text) : undefined
}

/** Whether a media type is of one JSON text (RFC 6839, section 3.1): lines of JSON, or a sequence, are something else. */
export function isJson(type = ''): boolean {
  return /^\s*(application|text)\/json\s*(;|$)|\+json\s*(;|$)/i.test(type)
}

/** What a text says, where it is JSON. */
export function jsonIn(text: string): unknown {
  try {
    // A parser may pass over the mark; that it is there has a law of its own.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** One header of an answer. */
export function headerOf(headers: Reply['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : (value as string | undefined)
}
