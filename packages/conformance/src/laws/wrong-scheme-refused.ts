import type { Law } from '../law.ts'
import { refusesAs } from '../run/authorization.ts'

export const wrongSchemeRefused: Law = {
  id: 'wrong-scheme-refused',
  phase: 'authorization',
  question: 'auth-scheme',
  atStake: true,
  title: 'True credentials under the scheme of another operation are refused with 401.',
  advice: 'Take the scheme that the contract names, and no other.',
  run: async (scene) => {
    const { signIn } = scene.contract
    const bearer = await scene.identities.headerOf('partner', undefined)
    const basic = signIn && (await scene.identities.headerOf('partner', signIn))
    if (!bearer || !basic) return
    await refusesAs(
      scene,
      (view) => [{ authorization: view.scheme === 'basic' ? bearer : basic }],
      'the scheme of another operation',
    )
  },
}
