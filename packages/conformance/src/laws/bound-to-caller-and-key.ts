import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, PAYING, paysKeys, transfer, transferToKey } from '../run/payments.ts'

export const boundToCallerAndKey: Law = {
  id: 'bound-to-caller-and-key',
  phase: 'lifecycles',
  question: 'initiation',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'An initiation_id pays the key that was looked up, for the caller who looked it up.',
  advice: 'Bind it to key and caller, and refuse it for others.',
  run: async (scene) => {
    const view = scene.contract.operation('checkKey')
    const keys = view.examples.map((it) => nodeOf(it).dict_key)
    const input = await transferToKey(scene)
    const otherKey = keys.find((it) => it !== nodeOf(input?.body).dict_key)
    if (!input || otherKey === undefined || !(await paysKeys(scene))) return scene.masked()
    const moved = await transfer(scene, { body: { ...nodeOf(input.body), dict_key: otherKey } })
    scene.expect(
      moved,
      isSuccess(moved) ? 'Expected an initiation_id of another key to be refused, and it paid.' : undefined,
      { about: 'key' },
    )
    for (const who of ['customer', 'other'] as const) {
      const looked = scene.identities.has(who) ? await transferToKey(scene) : undefined
      if (!looked) continue
      const stolen = await transfer(scene, looked, who)
      scene.expect(
        stolen,
        isSuccess(stolen) ? `Expected an initiation_id to be refused to the ${who}, and it paid.` : undefined,
        { about: who },
      )
    }
  },
}
