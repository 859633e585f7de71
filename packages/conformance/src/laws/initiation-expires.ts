import type { Law } from '../law.ts'
import { likePaid, PAYING, transfer } from '../run/payments.ts'
import { expectRefusal } from '../run/refusal.ts'

/** Seconds: the half hour of our answer, and one more. */
const LIFETIME = 30 * 60 + 1

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
    const input = await likePaid(scene)
    if (!input || !(await scene.clock.move(LIFETIME))) return scene.masked()
    const paid = await transfer(scene, input)
    const message = 'Expected an initiation_id of half an hour ago to be refused, and it paid.'
    expectRefusal(scene, paid, message, { also: [404] })
  },
}
