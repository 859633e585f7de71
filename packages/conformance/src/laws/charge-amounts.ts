import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

/** Charges whose amounts on the day are plain: a discount that holds, and a deduction. */
const CHARGES = [
  { words: 'no adjustment', amount: { original: '100.00' }, final: '100.00' },
  {
    words: 'a fixed deduction',
    amount: { original: '100.00', deduction: { amount: '10.00', modality: '1' } },
    final: '90.00',
  },
  {
    words: 'a deduction of percent',
    amount: { original: '123.45', deduction: { amount: '10.00', modality: '2' } },
    final: '111.11',
  },
  {
    words: 'a fine that is not due',
    amount: {
      original: '100.00',
      fine: { amount: '2.00', modality: '2' },
      interest: { amount: '1.00', modality: '3' },
    },
    final: '100.00',
  },
] as const

export const chargeAmounts: Law = {
  id: 'charge-amounts',
  phase: 'data',
  question: 'final-amount',
  needs: ['createDueDateQrCode', 'createImmediateQrCode', 'checkCode'],
  stateful: true,
  atStake: true,
  title: 'A due-date charge asks for what its deduction, discount, fine and interest come to today.',
  advice: "Follow annex III of the central bank's manual: each part truncated to centavos.",
  run: async (scene) => {
    await immediate(scene)
    await scene.each(CHARGES, async ({ words, amount, final }) => {
      const created = await scene.accepted('createDueDateQrCode', { set: { '/amount': amount } })
      const emv = nodeOf(created?.body).emv
      if (typeof emv !== 'string') return scene.masked()
      const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
      if (!isSuccess(checked)) return scene.masked()
      const { final_amount } = nodeOf(checked.body)
      scene.expect(
        checked,
        final_amount === final ? undefined : `Expected ${final} with ${words}, got ${final_amount}.`,
        { about: words },
      )
    })
  },
}

async function immediate(scene: Scene): Promise<void> {
  const created = await scene.accepted('createImmediateQrCode', { set: { '/amount/original': '35.91' } })
  const emv = nodeOf(created?.body).emv
  if (typeof emv !== 'string') return scene.masked()
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
  if (!isSuccess(checked)) return scene.masked()
  const { final_amount } = nodeOf(checked.body)
  const message = `Expected 35.91 for an immediate charge over 35.91, got ${final_amount}.`
  scene.expect(checked, final_amount === '35.91' ? undefined : message, { about: 'immediate' })
}
