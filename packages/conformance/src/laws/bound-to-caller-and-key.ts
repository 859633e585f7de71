import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, PAYING, transfer, transferToKey } from '../payments/payments.ts'
import { isSuccess, type Scene } from '../run/scene.ts'
import type { Identity } from '../wire/exchange.ts'

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
    const input = await likePaid(scene)
    const otherKey = keys.find((it) => it !== nodeOf(input?.body).dict_key)
    if (!input || otherKey === undefined) return scene.masked()
    const moved = await transfer(scene, { body: { ...nodeOf(input.body), dict_key: otherKey } })
    const message = 'Expected an initiation_id of another key to be refused, and it paid.'
    expectRefusal(scene, moved, message, { also: [404], about: 'key' })
    for (const who of ['customer', 'other'] as const)
      if (scene.identities.has(who)) await stolenBy(scene, who)
  },
}

async function stolenBy(scene: Scene, who: Identity): Promise<void> {
  const looked = await transferToKey(scene)
  if (!looked) return scene.masked()
  const stolen = await transfer(scene, looked, who)
  // Who could not pay with a look-up of their own either was refused for something else.
  const own = isSuccess(stolen) || (await likePaid(scene, () => transferToKey(scene, who), who))
  if (!own) return scene.masked()
  const message = `Expected an initiation_id to be refused to the ${who}, and it paid.`
  expectRefusal(scene, stolen, message, { also: [404], about: who })
}
