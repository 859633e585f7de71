/** A request as it leaves. */
export interface HttpRequest {
  readonly method: string
  /** With its query; below the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** An answer as it came; `status` 0 where none did, and `text` says why. */
export interface HttpResponse {
  readonly status: number
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** Milliseconds to the last byte. */
  readonly ms: number
  /** The 429 that came first, where the request was sent again for it. */
  readonly limited?: HttpResponse
}

/** The body of an answer, where it is JSON. */
export function parsed({ text, headers }: HttpResponse): unknown {
  return isJson(headerOf(headers, 'content-type')) ? jsonIn(text) : undefined
}

/** Whether a media type is of one JSON text (RFC 6839, section 3.1): lines of JSON, or a sequence, are something else. */
export function isJson(type = ''): boolean {
  return /^\s*(application|text)\/json\s*(;|$)|\+json\s*(;|$)/i.test(type)
}

/** What a text says, where it is JSON. */
export function jsonIn(text: string): unknown {
  try {
    // A parser may pass over the mark; that it is there has a rule of its own.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** One header of an answer. */
export function headerOf(headers: HttpResponse['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : (value as string | undefined)
}
