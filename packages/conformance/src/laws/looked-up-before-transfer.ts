import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, PAYING, transfer } from '../payments/payments.ts'

const NEVER_GIVEN = ['ini_neverissued00000000', 'x', '00000000-0000-4000-8000-000000000000']

/** The document says that the look-up makes the value, and that the transfer sends it back. */
export const lookedUpBeforeTransfer: Law = {
  id: 'looked-up-before-transfer',
  phase: 'lifecycles',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'An initiation_id that no look-up gave pays nothing.',
  advice: 'Know what look-ups have given, and refuse the rest.',
  run: async (scene) => {
    const input = await likePaid(scene)
    if (!input) return scene.masked()
    await scene.each(NEVER_GIVEN, async (initiation_id) => {
      const exchange = await transfer(scene, { body: { ...nodeOf(input.body), initiation_id } })
      const message = 'Expected an initiation_id that was never given to be refused, and it paid.'
      expectRefusal(scene, exchange, message, { also: [404] })
    })
  },
}
