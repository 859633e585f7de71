import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { refusesAs } from './helpers.ts'

export const refreshTokenRefused: Law = {
  id: 'refresh-token-refused',
  phase: 'authorization',
  question: 'refresh-token',
  isOurs: true,
  stateful: true,
  atStake: true,
  title: 'A refresh token is no access token, and is refused with 401.',
  advice: 'Keep the two kinds of token apart.',
  run: async (scene) => {
    await scene.identities.headerOf('partner', undefined)
    const [own] = scene.identities.refreshTokens
    // Whoever acts for a customer has one too.
    const acting = scene.contract.has('impersonate') ? await scene.accepted('impersonate') : undefined
    const tokens = [own, nodeOf(acting?.body).refresh_token].filter((it) => typeof it === 'string')
    if (tokens.length === 0) return
    await refusesAs(
      scene,
      ({ scheme }) => (scheme === 'bearer' ? tokens.map((it) => ({ authorization: `Bearer ${it}` })) : []),
      'a refresh token',
    )
  },
}
