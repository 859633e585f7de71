/** Whether a browser asks on its own before a request elsewhere (Fetch, "CORS-preflight request"). */
export function isPreflight({
  method,
  headers,
}: {
  method: string
  headers: Readonly<Record<string, string>>
}): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
