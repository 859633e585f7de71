/** Whether a browser sent the request on its own (Fetch, "CORS-preflight request"). */
export function isPreflight({
  method,
  headers,
}: {
  method: string
  headers: Readonly<Record<string, string>>
}): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
