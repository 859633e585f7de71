import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { likePaid, PAYING, transfer } from '../run/payments.ts'
import { expectRefusal } from '../run/refusal.ts'

export const beneficiaryCompared: Law = {
  id: 'beneficiary-compared',
  phase: 'lifecycles',
  question: 'transfer-beneficiary',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer that names another beneficiary than the key has is refused.',
  advice: 'Compare what the request says of the beneficiary with what the look-up found.',
  run: async (scene) => {
    const input = await likePaid(scene)
    if (!input) return scene.masked()
    const beneficiary = { name: 'Nome que o dono da chave nao tem' }
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), beneficiary } })
    expectRefusal(scene, exchange, 'Expected a wrong beneficiary to be refused, and it was paid.')
  },
}
