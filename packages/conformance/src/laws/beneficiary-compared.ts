import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, PAYING, paysKeys, transfer, transferToKey } from '../run/payments.ts'

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
    const input = await transferToKey(scene)
    if (!input || !(await paysKeys(scene))) return scene.masked()
    const beneficiary = { name: 'Nome que o dono da chave nao tem' }
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), beneficiary } })
    scene.expect(
      exchange,
      isSuccess(exchange) ? 'Expected a wrong beneficiary to be refused, and it was paid.' : undefined,
    )
  },
}
