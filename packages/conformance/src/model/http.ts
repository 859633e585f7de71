/** An HTTP request as it is sent. */
export interface HttpRequest {
  readonly method: string
  /** Relative to the base URL, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** An HTTP response. If none arrived, `status` is 0 and `text` says why. */
export interface HttpResponse {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** Milliseconds until the last byte. */
  readonly ms: number
  /** The first 429, if the request was retried after it. */
  readonly limited?: HttpResponse
}

/** The body of a response; undefined if it is not JSON. */
export function parsed({ text, headers }: HttpResponse): unknown {
  return isJson(headerOf(headers, 'content-type')) ? jsonIn(text) : undefined
}

/** Whether a media type stands for one JSON value (RFC 6839, section 3.1), not for JSON lines or a sequence. */
export function isJson(type = ''): boolean {
  return /^\s*(application|text)\/json\s*(;|$)|\+json\s*(;|$)/i.test(type)
}

/** Parses JSON; undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    // Parsers may ignore a byte order mark. Another rule reports it.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Several values are joined with commas. */
export function headerOf(headers: HttpResponse['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : (value as string | undefined)
}

/** A media type in lower case, without parameters. */
export function bareMediaType(type = ''): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Headers with names in lower case. */
export function lowerCaseNames(headers: HttpRequest['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
