import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { CHARGING, charge, isSuccess, payer, paysCharges, transfer } from '../run/payments.ts'

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
    if (!made || !(await paysCharges(scene))) return scene.masked()
    for (const amount of ['0.02', '0.04', '0.01']) {
      const exchange = await transfer(scene, { body: { ...nodeOf(made.pay.body), amount } }, payer(scene))
      scene.expect(
        exchange,
        isSuccess(exchange)
          ? `Expected ${amount} to be refused for a code over 0.03, and it paid.`
          : undefined,
      )
    }
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
