import { encode, tryDecode } from '@partner-payments/brcode'
import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, PAYING, payer, transfer } from '../payments/payments.ts'
import type { Scene } from '../run/scene.ts'
import type { Input } from '../wire/exchange.ts'

export const amountZeroRefused: Law = {
  id: 'amount-zero-refused',
  phase: 'lifecycles',
  question: 'bounds',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer of nothing is refused.',
  advice: 'Refuse an amount of zero before any money moves.',
  run: async (scene) => {
    const input = await likePaid(scene)
    if (!input) return scene.masked()
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount: '0.00' } })
    expectRefusal(scene, exchange, 'Expected a transfer of nothing to be refused, and it was accepted.')
    await tryOpenCode(scene)
  },
}

/** A code without an amount leaves it to the payer, who still has to pay something. */
async function tryOpenCode(scene: Scene): Promise<void> {
  if (!scene.contract.has('createStaticQrCode')) return
  const input = await likePaid(scene, () => transferToOpenCode(scene), payer(scene))
  if (!input) return scene.masked()
  const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount: '0.00' } }, payer(scene))
  const message = 'Expected a transfer of nothing to an open code to be refused, and it was accepted.'
  expectRefusal(scene, exchange, message, { about: 'code' })
}

async function transferToOpenCode(scene: Scene): Promise<Input | undefined> {
  const created = await scene.accepted('createStaticQrCode')
  const code = tryDecode(String(nodeOf(created?.body).emv))
  if (!code.ok || code.code.kind !== 'static') return undefined
  const { objects: _, amount: __, ...open } = code.code
  return { body: { type: 'emv', emv: encode(open), amount: '0.01' } }
}
