/** A minimal client that a careful team writes by hand: the lower bound of size and cost. */
export function bareFetch(baseUrl: string, token: string, fetch = globalThis.fetch) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(baseUrl + path, init)
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
    return (await response.json()) as Body
  }
}
