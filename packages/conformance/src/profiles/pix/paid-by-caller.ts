import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, Who } from '../../transport/exchange.ts'
import { PAYING, transfer, transferToKey } from './payments.ts'

export const paidByCaller: Law = {
  id: 'paid-by-caller',
  phase: 'authorization',
  question: 'token-permissions',
  identity: 'customer',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer is paid from the account that its token stands for.',
  advice: 'Take the payer from the token: the account of the customer, where one is acted for.',
  run: async (scene) => {
    const [partner, customer] = [await paidBy(scene, 'partner'), await paidBy(scene, 'customer')]
    if (!partner || !customer) return scene.masked()
    scene.expect(
      customer,
      accountOf(partner) === accountOf(customer)
        ? 'Expected a customer to pay from an account of its own, and it was that of the partner.'
        : undefined,
    )
  },
}

async function paidBy(scene: Scene, who: Who): Promise<Exchange | undefined> {
  const input = await transferToKey(scene, who)
  const paid = input && (await transfer(scene, input, who))
  return paid && isSuccess(paid) ? paid : undefined
}

function accountOf({ body }: Exchange): unknown {
  return nodeOf(nodeOf(body).data).account_id
}
