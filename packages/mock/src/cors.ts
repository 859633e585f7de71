/** Headers of every answer: any page may call the mock and read what the contract's headers say. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, www-authenticate, retry-after, allow',
}

/**
 * Answers OPTIONS. Every method and header is allowed, so that a page sees the mock's own 405 or 401
 * instead of an error of the browser.
 */
export function preflight({ headers }: Request): Record<string, string> {
  return {
    'access-control-allow-methods':
      headers.get('access-control-request-method') ?? 'GET, POST, PATCH, DELETE',
    // The wildcard would not cover authorization.
    'access-control-allow-headers':
      headers.get('access-control-request-headers') ?? 'authorization, content-type, prefer',
    'access-control-max-age': '600',
  }
}
