import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { CHARGING, charge, isSuccess, payer, transfer } from '../run/payments.ts'
import type { Scene } from '../run/scene.ts'

export const amountFixedByCode: Law = {
  id: 'amount-fixed-by-code',
  phase: 'lifecycles',
  question: 'code-value-change',
  needs: CHARGING,
  stateful: true,
  atStake: true,
  title: 'A code that fixes its amount is not paid with another one.',
  advice: 'Compare the amount with what the code asks for today.',
  run: async (scene) => {
    const made = await charge(scene)
    if (!made) return scene.masked()
    for (const amount of ['0.02', '0.04', '0.01']) {
      const exchange = await transfer(scene, { body: { ...nodeOf(made.pay.body), amount } }, payer(scene))
      scene.expect(
        exchange,
        isSuccess(exchange)
          ? `Expected ${amount} to be refused for a code over 0.03, and it paid.`
          : undefined,
      )
    }
    await tryDueDate(scene)
    const fixed = await scene.accepted('createStaticQrCode', { set: { '/amount': '0.03' } })
    const emv = nodeOf(fixed?.body).emv
    if (typeof emv !== 'string') return
    const exchange = await transfer(scene, { body: { type: 'emv', emv, amount: '0.02' } }, payer(scene))
    scene.expect(
      exchange,
      isSuccess(exchange)
        ? 'Expected 0.02 to be refused for a static code over 0.03, and it paid.'
        : undefined,
      { about: 'static' },
    )
  },
}

/** A charge that comes to less today than it was made for, by a deduction. */
async function tryDueDate(scene: Scene): Promise<void> {
  if (!scene.contract.has('createDueDateQrCode')) return
  const reduced = { original: '0.05', deduction: { amount: '0.02', modality: '1' } }
  const created = await scene.accepted('createDueDateQrCode', { set: { '/amount': reduced } })
  const emv = nodeOf(created?.body).emv
  if (typeof emv !== 'string') return scene.masked()
  for (const amount of ['0.05', '0.02', '0.04']) {
    const exchange = await transfer(scene, { body: { type: 'emv', emv, amount } }, payer(scene))
    const message = `Expected ${amount} to be refused for a code that comes to 0.03 today, and it paid.`
    scene.expect(exchange, isSuccess(exchange) ? message : undefined, { about: 'due date' })
  }
}
