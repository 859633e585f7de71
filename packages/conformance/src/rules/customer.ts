import { isSuccess, type Scene } from '../engine/context.ts'
import type { Maker } from '../generate/request-builder.ts'
import type { Contract } from '../model/contract.ts'
import type { Identities } from '../transport/identities.ts'
import type { Sender } from '../transport/sender.ts'

interface Means {
  readonly contract: Contract
  readonly identities: Identities
  readonly maker: Maker
  readonly sender: Pick<Sender, 'send'>
}

/** Acts for a customer, where the contract has a way to: then a second kind of token can be tried. */
export async function becomeCustomer({ contract, identities, maker, sender }: Means): Promise<void> {
  if (!contract.has('impersonate')) return
  const view = contract.operation('impersonate')
  const input = await maker.inputOf(view, { who: 'partner' })
  const exchange = input && (await sender.send(view, input))
  if (exchange && isSuccess(exchange)) identities.become(exchange.body)
}

/** Leaves tokens behind whose time has passed when the clock was moved: the partner's, and the customer's. */
export async function signInAnew(scene: Scene): Promise<void> {
  const { contract, identities, maker } = scene
  identities.forget()
  await becomeCustomer({ contract, identities, maker, sender: scene })
}
