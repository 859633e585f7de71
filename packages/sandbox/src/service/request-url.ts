/** The parts of the URL of a request that say what it asks for. */
export interface RequestTarget {
  /** As it was sent, with its percent-encoding. */
  readonly path: string
  /** With its question mark; empty if there is none. */
  readonly query: string
}

/**
 * Splits the URL of a `Request` into `path` and `query`: `http://host/a?b=1` → `/a` and `?b=1`. It
 * is absolute and normalized, so its text need not be parsed again for each request.
 */
export function splitUrl(url: string): RequestTarget {
  const hostStart = url.indexOf('//') + 2
  const pathStart = url.indexOf('/', hostStart)
  const queryStart = url.indexOf('?', pathStart)
  if (queryStart === -1) return { path: url.slice(pathStart), query: '' }

  return { path: url.slice(pathStart, queryStart), query: url.slice(queryStart) }
}
