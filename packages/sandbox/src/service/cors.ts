/** Lets pages of some origins call the operations: CORS (Fetch Standard, section 3.3). */
export interface Cors {
  /** The response to a preflight of an allowed origin; `undefined` for every other request. */
  preflight(request: Request): Response | undefined
  /** Adds the headers with which a page of an allowed origin reads a response. */
  expose(request: Request, response: Response): Response
}

const EXPOSED = 'x-request-id, www-authenticate, retry-after, allow'

/**
 * Creates the CORS headers that let browser pages call the sandbox: pages of this machine, and
 * those of the origins in `allowed`. Use it for the operations alone: a page must not read or
 * change a sandbox by `/_sandbox/`, which asks for no credentials.
 *
 * @throws {TypeError} if one of the origins is invalid
 */
export function createCors(allowed: readonly string[]): Cors {
  const origins = new Set(allowed.map(normalizeOrigin))

  function findAllowedOrigin({ headers }: Request): string | undefined {
    const origin = headers.get('origin') ?? ''
    const isAllowed = origins.has(origin) || isOfThisMachine(origin)
    return isAllowed ? origin : undefined
  }

  return {
    /** The response to the question of a browser before a request; undefined for all others. */
    preflight(request) {
      const method = request.headers.get('access-control-request-method')
      const isPreflight = request.method === 'OPTIONS' && method !== null
      const origin = findAllowedOrigin(request)
      if (!isPreflight || origin === undefined) return undefined

      const headers = {
        'access-control-allow-origin': origin,
        // Any method and header, so that a page receives our 405 or 401 instead of an error of the
        // browser.
        'access-control-allow-methods': method,
        'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '',
        'access-control-max-age': '600',
        vary: 'origin',
      }
      return new Response(null, { status: 204, headers })
    },

    /** Lets the page read the response and its headers, if its origin is allowed. */
    expose(request, response) {
      const origin = findAllowedOrigin(request)
      if (origin === undefined) return response

      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', EXPOSED)
      response.headers.append('vary', 'origin')
      return response
    },
  }
}

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function isOfThisMachine(origin: string): boolean {
  return isOrigin(origin) && LOCAL_NAMES.has(new URL(origin).hostname)
}

/** Whether a text is an origin of the web, as a browser writes it. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb && url.origin === text
}

/**
 * Normalizes an origin as a browser does: `HTTPS://Shop.example:443` becomes
 * `https://shop.example`. Throws for anything else, such as an origin with a path.
 */
function normalizeOrigin(text: string): string {
  const origin = URL.parse(text)?.origin ?? ''
  const hasNothingElse = text.toLowerCase() === origin || isWithDefaultPort(text, origin)
  if (isOrigin(origin) && hasNothingElse) return origin
  throw new TypeError(`an allowed origin must be like https://shop.example:8443, got "${text}"`)
}

function isWithDefaultPort(text: string, origin: string): boolean {
  const port = origin.startsWith('https:') ? ':443' : ':80'
  return text.toLowerCase() === origin + port
}
