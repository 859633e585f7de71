import type { Rule } from '../../engine/rule.ts'
import { headerOf } from '../../model/http.ts'
import { placeOf } from './place.ts'

export const wwwAuthenticate: Rule = {
  id: 'www-authenticate',
  phase: 'responses',
  cites: { convention: 'refusals' },
  title: 'Every 401 names the expected scheme in www-authenticate (RFC 9110, section 15.5.2).',
  advice: 'Send www-authenticate with the scheme.',
  judgeResponse: (exchange) => {
    if (exchange.response.status !== 401) return undefined
    const place = placeOf(exchange)
    const challenge = headerOf(exchange.response.headers, 'www-authenticate')
    if (challenge === undefined)
      return [{ ...place, message: 'Expected www-authenticate with 401, got none.' }]
    const scheme = exchange.view?.scheme
    if (scheme === undefined || hasChallenge(challenge, scheme)) return []
    return [{ ...place, message: `Expected a challenge of ${scheme}, got ${challenge}.`, about: 'scheme' }]
  },
}

/** Names of schemes are case-insensitive (RFC 9110, section 11.1). */
function hasChallenge(challenge: string, scheme: string): boolean {
  return challenge.split(',').some((it) => it.trim().split(' ', 1)[0]?.toLowerCase() === scheme.toLowerCase())
}
