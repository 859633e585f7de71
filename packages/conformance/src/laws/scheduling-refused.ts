import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import {
  CHARGING,
  likePaid,
  PAYING,
  payer,
  transfer,
  transferToCharge,
  transferToKey,
} from '../payments/payments.ts'
import { isSuccess, type Scene } from '../run/scene.ts'
import type { Input, Who } from '../wire/exchange.ts'

export const schedulingRefused: Law = {
  id: 'scheduling-refused',
  phase: 'lifecycles',
  question: 'transfer-scheduling',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer dated later is refused, by key and by code; one dated today is not.',
  advice: 'Refuse it, or say in the contract that payments can be scheduled.',
  run: async (scene) => {
    await tryDates(scene, { words: 'a transfer', made: () => transferToKey(scene), who: 'partner' })
    if (!scene.contract.has(...CHARGING)) return
    await tryDates(scene, { words: 'a payment', made: () => transferToCharge(scene), who: payer(scene) })
  },
}

interface Kind {
  readonly words: string
  readonly made: () => Promise<Input | undefined>
  readonly who: Who
}

async function tryDates(scene: Scene, { words, made, who }: Kind): Promise<void> {
  const input = await likePaid(scene, made, who)
  if (!input) return scene.masked()
  const dated = (days: number) => ({ body: { ...nodeOf(input.body), payment_date: scene.clock.day(days) } })
  const later = await transfer(scene, dated(3), who)
  const message = `Expected ${words} dated in three days to be refused, and it was accepted.`
  expectRefusal(scene, later, message, { about: words })
  const today = await transfer(scene, dated(0), who)
  const refused = `Expected ${words} dated today to be accepted, got ${today.reply.status}.`
  // Where it was done already, another refusal says nothing of its date.
  if (isSuccess(later)) return scene.masked()
  scene.expect(today, isSuccess(today) ? undefined : refused, { about: `${words} today` })
}
