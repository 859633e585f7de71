import { ABOUT_PATHS, fieldsOf, readNonce, SERVICES } from '@partner-payments/contract'
import manifest from '../package.json' with { type: 'json' }
import type { MockResponse } from './operation.ts'

/** Access tokens that are remembered, the newest. */
const MAX_TOKENS = 1_000

/**
 * Creates what tells programs that this is a mock: the response to their question, and the tokens
 * that this mock issued. A program that could pay or delete asks before its first request.
 */
export function createAbout() {
  const tokens = new Set<string>()

  return {
    /**
     * The response to the question what this service is; undefined for any other request. With a
     * token, it says whether this mock issued it: behind a gateway, other requests may reach another
     * service than this question.
     */
    createAboutResponse({ method, url, headers }: Request): MockResponse | undefined {
      const address = new URL(url)
      const isQuestion = method === 'GET' && address.pathname === ABOUT_PATHS.mock
      if (!isQuestion) return undefined

      const nonce = readNonce(address)
      const about = { service: SERVICES.mock, version: manifest.version, nonce }
      const authorization = headers.get('authorization')
      if (authorization === null) return createJsonResponse(about)

      const token = readBearerToken(authorization)
      const isIssued = token !== undefined && tokens.has(token)
      return createJsonResponse({ ...about, issued_token: isIssued })
    },

    /** Remembers the access token of a response, if it has one. */
    rememberToken({ body }: MockResponse): void {
      const token = fieldsOf(body).access_token
      if (typeof token !== 'string') return

      // A Set keeps the order in which its values were added: the first is the oldest.
      tokens.delete(token)
      tokens.add(token)
      const [oldest] = tokens
      if (oldest !== undefined && tokens.size > MAX_TOKENS) tokens.delete(oldest)
    },
  }
}

/** The token of a header `authorization`; undefined if it has other credentials. */
function readBearerToken(authorization: string): string | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? []
  return token
}

function createJsonResponse(body: object): MockResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}
