import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, PAYING, transfer, type Way, waysToPay } from '../payments/payments.ts'
import type { Scene } from '../run/scene.ts'

export const beneficiaryCompared: Law = {
  id: 'beneficiary-compared',
  phase: 'lifecycles',
  question: 'transfer-beneficiary',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title:
    'A transfer that names another beneficiary than the key or the code has is refused, whatever is another.',
  advice: 'Compare what the request says of the beneficiary with what the look-up found, member by member.',
  run: async (scene) => {
    for (const way of waysToPay(scene)) await tryMembers(scene, way)
  },
}

/** Values of the right form that nobody has who is paid here. */
const OTHERS = {
  name: 'Nome que o dono da chave nao tem',
  tax_id: '52998224725',
  ispb: '00000000',
  branch: '9876',
  account_number: '98765432109876543210',
}

async function tryMembers(scene: Scene, { made, who }: Way): Promise<void> {
  const input = await likePaid(scene, made, who)
  if (!input) return scene.masked()
  const { type } = nodeOf(input.body)
  for (const [name, value] of Object.entries(OTHERS)) {
    const body = { ...nodeOf(input.body), beneficiary: { [name]: value } }
    const exchange = await transfer(scene, { body }, who)
    const message = `Expected a wrong beneficiary to be refused (${name}, ${type}), and it was paid.`
    expectRefusal(scene, exchange, message, { about: `${name} ${type}` })
  }
}
