/**
 * Headers of every response, so that any page can call the mock and read the headers of the
 * contract.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, www-authenticate, retry-after, allow, preference-applied',
}

/**
 * The headers of a preflight response. Allows every method and header, so that a page receives the
 * mock's 405 or 401 instead of a browser error.
 */
export function preflightHeaders({ headers }: Request): Record<string, string> {
  return {
    'access-control-allow-methods':
      headers.get('access-control-request-method') ?? 'GET, POST, PATCH, DELETE',
    // The wildcard would not cover authorization.
    'access-control-allow-headers':
      headers.get('access-control-request-headers') ?? 'authorization, content-type, prefer',
    'access-control-max-age': '600',
  }
}
