import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { refusesAs } from './helpers.ts'

export const refreshTokenRefused: Rule = {
  id: 'refresh-token-refused',
  phase: 'authorization',
  cites: { question: 'refresh-token' },
  onlyIfAsked: true,
  stateful: true,
  impact: 'high',
  title: 'A refresh token is no access token, and is refused with 401.',
  advice: 'Keep the two kinds of token apart.',
  run: async (context) => {
    await context.identities.headerOf('partner', undefined)
    const [own] = context.identities.refreshTokens
    // Whoever acts for a customer has one too.
    const acting = context.contract.has('impersonate') ? await context.accepted('impersonate') : undefined
    const tokens = [own, nodeOf(acting?.body).refresh_token].filter((it) => typeof it === 'string')
    if (tokens.length === 0) return
    await refusesAs(
      context,
      ({ scheme }) => (scheme === 'bearer' ? tokens.map((it) => ({ authorization: `Bearer ${it}` })) : []),
      'a refresh token',
    )
  },
}
