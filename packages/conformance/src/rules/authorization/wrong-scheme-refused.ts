import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import type { Scheme } from '../../model/security.ts'
import { isRefused, refusesAs, trueCredentials } from './helpers.ts'

export const wrongSchemeRefused: Law = {
  id: 'wrong-scheme-refused',
  phase: 'authorization',
  question: 'auth-scheme',
  atStake: true,
  title: 'True credentials under another scheme, under none, or in the query, are refused with 401.',
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
    await inTheQuery(scene, token)
  },
}

/** A token in a URL ends up in logs and in other places that URLs go to (RFC 6750, section 5.3). */
async function inTheQuery(scene: Scene, access_token: string): Promise<void> {
  const views = scene.contract.operations.filter(
    (it) =>
      it.method === 'GET' && it.scheme === 'bearer' && it.pathParameters.length === 0 && scene.isAsked(it),
  )
  await scene.each(views, async (view) => {
    if (!isSuccess(await scene.send(view, {}))) return scene.masked()
    const exchange = await scene.send(view, { query: { access_token } }, { who: null })
    isRefused(scene, exchange, 'a token in the query')
  })
}
