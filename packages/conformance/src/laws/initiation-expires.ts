import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, PAYING, transfer, transferToKey } from '../payments/payments.ts'
import { isSuccess } from '../run/scene.ts'

/** Seconds: most of the half hour of our answer, and the rest of it with one more. */
const NEARLY = 29 * 60
const REST = 60 + 1

/** A sandbox can be told to move its clock; no other service is waited for. */
export const initiationExpires: Law = {
  id: 'initiation-expires',
  phase: 'time',
  question: 'initiation',
  needs: PAYING,
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'An initiation_id pays for half an hour, and not later.',
  advice: 'Keep when the key was looked up, and refuse what is older.',
  run: async (scene) => {
    const [early, input] = [await likePaid(scene), await transferToKey(scene)]
    if (!early || !input || !(await scene.clock.move(NEARLY))) return scene.masked()
    // The key was looked up again since, which ends no look-up before it.
    const kept = await transfer(scene, early)
    const ended = `Expected an initiation_id of less than half an hour ago to pay, got ${kept.reply.status}.`
    scene.expect(kept, isSuccess(kept) ? undefined : ended, { about: 'early' })
    if (!(await scene.clock.move(REST))) return scene.masked()
    const paid = await transfer(scene, input)
    const message = 'Expected an initiation_id of half an hour ago to be refused, and it paid.'
    expectRefusal(scene, paid, message, { also: [404] })
  },
}
