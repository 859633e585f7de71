import type { Rule } from '../../engine/rule.ts'
import { headerOf } from '../../model/http.ts'

export const wwwAuthenticate: Rule = {
  id: 'www-authenticate',
  phase: 'responses',
  cites: { convention: 'refusals' },
  title: 'Every 401 says in www-authenticate which scheme it expects (RFC 9110, section 15.5.2).',
  advice: 'Send www-authenticate with the scheme.',
  judgeResponse: ({ view, response }) => {
    if (response.status !== 401) return undefined
    const place = { operation: view?.id, contract: view?.pointer ?? '' }
    const challenge = headerOf(response.headers, 'www-authenticate')
    if (challenge === undefined)
      return [{ ...place, message: 'Expected www-authenticate beside 401, got none.' }]
    const scheme = view?.scheme
    // A key of one's own place has no scheme that is registered: whoever asks for it names it as they like.
    if (scheme === undefined || scheme === 'key' || asksFor(challenge, scheme)) return []
    return [{ ...place, message: `Expected a challenge of ${scheme}, got ${challenge}.`, about: 'scheme' }]
  },
}

/** Whether one of the challenges is of a scheme; its name may be in any letters (RFC 9110, section 11.1). */
function asksFor(challenge: string, scheme: string): boolean {
  return challenge.split(',').some((it) => it.trim().split(' ', 1)[0]?.toLowerCase() === scheme.toLowerCase())
}
