/** The settings that all clients support. */
export interface Connection {
  /** Without a path or trailing slash; the paths of the contract are appended. */
  baseUrl: string
  /** Sent as a bearer token. */
  token: string
  fetch: typeof globalThis.fetch
}

/** The data of a client that returns an error response instead of throwing it. */
export function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }) {
  if (error) throw error
  return data
}
