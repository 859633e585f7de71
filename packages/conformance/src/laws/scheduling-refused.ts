import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, PAYING, transfer, type Way, waysToPay } from '../payments/payments.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

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
    for (const way of waysToPay(scene)) await tryDates(scene, way)
  },
}

async function tryDates(scene: Scene, { words, made, who }: Way): Promise<void> {
  const input = await likePaid(scene, made, who)
  if (!input) return scene.masked()
  const dated = (days: number) => ({ body: { ...nodeOf(input.body), payment_date: scene.clock.day(days) } })
  const later = await transfer(scene, dated(3), who)
  const message = `Expected a transfer by ${words} dated in three days to be refused, and it was accepted.`
  expectRefusal(scene, later, message, { about: words })
  const today = await transfer(scene, dated(0), who)
  const refused = `Expected a transfer by ${words} dated today to be accepted, got ${today.reply.status}.`
  // Where it was done already, another refusal says nothing of its date.
  if (isSuccess(later)) return scene.masked()
  scene.expect(today, isSuccess(today) ? undefined : refused, { about: `${words} today` })
}
