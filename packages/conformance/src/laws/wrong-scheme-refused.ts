import type { Law } from '../law.ts'
import { refusesAs, trueCredentials } from '../run/authorization.ts'
import type { Scheme } from '../run/security.ts'

export const wrongSchemeRefused: Law = {
  id: 'wrong-scheme-refused',
  phase: 'authorization',
  question: 'auth-scheme',
  atStake: true,
  title: 'True credentials under another scheme, or under none, are refused with 401.',
  advice: 'Take the scheme that the contract names, and no other.',
  run: async (scene) => {
    const { basic, token } = await trueCredentials(scene)
    if (!token || !basic) return
    const sent: Readonly<Record<Scheme, readonly string[]>> = {
      basic: [`Bearer ${token}`],
      bearer: [`Basic ${basic}`, `Basic ${token}`, token],
      key: [],
    }
    await refusesAs(
      scene,
      ({ scheme }) => (scheme ? sent[scheme] : []).map((authorization) => ({ authorization })),
      'another scheme',
    )
  },
}
