import { isSuccess, type Scene } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import type { Identity } from '../../transport/exchange.ts'
import { PAYING, paysOnce, transfer, transferToKey } from './payments.ts'

export const initiationSingleUse: Law = {
  id: 'single-use',
  phase: 'lifecycles',
  question: 'transfer-repeat',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'An initiation_id pays once, for whoever looked up: not a second time, and not twice at once.',
  advice: 'Use it up in the transaction that sets the money aside.',
  run: async (scene) => {
    for (const who of ['partner', 'customer'] as const)
      if (who === 'partner' || scene.identities.has(who)) await tryTwice(scene, who)
  },
}

async function tryTwice(scene: Scene, who: Identity): Promise<void> {
  const input = await transferToKey(scene, who)
  if (!input) return scene.masked()
  const first = await transfer(scene, input, who)
  if (!isSuccess(first)) return scene.masked()
  const again = await transfer(scene, input, who)
  const message = `Expected a used initiation_id of the ${who} to be refused, and it paid again.`
  expectRefusal(scene, again, message, { also: [404], about: who })
  const other = await transferToKey(scene, who)
  if (!other) return scene.masked()
  await paysOnce(scene, () => transfer(scene, other, who))
}
