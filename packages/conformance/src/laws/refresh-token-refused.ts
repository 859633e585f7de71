import type { Law } from '../law.ts'
import { refusesAs } from '../run/authorization.ts'

export const refreshTokenRefused: Law = {
  id: 'refresh-token-refused',
  phase: 'authorization',
  question: 'refresh-token',
  stateful: true,
  atStake: true,
  title: 'A refresh token is no access token, and is refused with 401.',
  advice: 'Keep the two kinds of token apart.',
  run: async (scene) => {
    await scene.identities.headerOf('partner', undefined)
    const [token] = scene.identities.refreshTokens
    if (token === undefined) return
    await refusesAs(
      scene,
      (view) => (view.scheme === 'bearer' ? [{ authorization: `Bearer ${token}` }] : []),
      'a refresh token',
    )
  },
}
