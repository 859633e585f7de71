import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { CHARGING, likePaid, payer, transfer, transferToCharge } from '../payments/payments.ts'
import type { Scene } from '../run/scene.ts'
import type { Exchange, Input } from '../wire/exchange.ts'

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
    await otherThan(scene, () => transferToCharge(scene), { amounts: ['0.02', '0.04', '0.01'] })
    await otherThan(scene, () => transferToReduced(scene), {
      amounts: ['0.05', '0.02', '0.04'],
      about: 'due-date',
    })
    await otherThan(scene, () => transferToStatic(scene), { amounts: ['0.02'], about: 'static' })
  },
}

/** Pays a code over 0.03 with that, and others of its kind with other amounts. */
async function otherThan(
  scene: Scene,
  made: () => Promise<Input | undefined>,
  { amounts, about }: { amounts: readonly string[]; about?: string },
): Promise<void> {
  const input = await likePaid(scene, made, payer(scene))
  if (!input) return scene.masked()
  for (const amount of amounts) {
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount } }, payer(scene))
    const kind = about ? `a ${about} code` : 'a code'
    const message = `Expected ${amount} to be refused for ${kind} over 0.03, and it paid.`
    expectRefusal(scene, exchange, message, about ? { about } : {})
  }
}

async function transferToStatic(scene: Scene): Promise<Input | undefined> {
  const created = await scene.accepted('createStaticQrCode', { set: { '/amount': '0.03' } })
  return paying(created)
}

/** To a charge that comes to less today than it was made for, by a deduction. */
async function transferToReduced(scene: Scene): Promise<Input | undefined> {
  if (!scene.contract.has('createDueDateQrCode')) return undefined
  const reduced = { original: '0.05', deduction: { amount: '0.02', modality: '1' } }
  return paying(await scene.accepted('createDueDateQrCode', { set: { '/amount': reduced } }))
}

function paying(created: Exchange | undefined): Input | undefined {
  const { emv } = nodeOf(created?.body)
  return typeof emv === 'string' ? { body: { type: 'emv', emv, amount: '0.03' } } : undefined
}
