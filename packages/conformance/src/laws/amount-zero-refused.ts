import { encode, tryDecode } from '@partner-payments/brcode'
import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, PAYING, payer, transfer, transferToKey } from '../run/payments.ts'
import type { Scene } from '../run/scene.ts'

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
    const input = await transferToKey(scene)
    if (!input) return scene.masked()
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount: '0.00' } })
    scene.expect(
      exchange,
      isSuccess(exchange) ? 'Expected a transfer of nothing to be refused, and it was accepted.' : undefined,
    )
    await tryOpenCode(scene)
  },
}

/** A code without an amount leaves it to the payer, who still has to pay something. */
async function tryOpenCode(scene: Scene): Promise<void> {
  if (!scene.contract.has('createStaticQrCode')) return
  const created = await scene.accepted('createStaticQrCode')
  const code = tryDecode(String(nodeOf(created?.body).emv))
  if (!code.ok || code.code.kind !== 'static') return scene.masked()
  const { objects: _, amount: __, ...open } = code.code
  const body = { type: 'emv', emv: encode(open), amount: '0.00' }
  const exchange = await transfer(scene, { body }, payer(scene))
  const message = 'Expected a transfer of nothing to an open code to be refused, and it was accepted.'
  scene.expect(exchange, isSuccess(exchange) ? message : undefined, { about: 'code' })
}
