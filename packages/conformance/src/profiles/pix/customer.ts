import type { Context } from '../../engine/context.ts'
import { isSuccess } from '../../model/exchange.ts'

/** Acts for a customer, where the contract has a way to: then a second kind of token can be tried. */
export async function becomeCustomer({
  contract,
  identities,
  builder,
  send,
}: Pick<Context, 'contract' | 'identities' | 'builder' | 'send'>): Promise<void> {
  if (!contract.has('impersonate')) return
  const view = contract.operation('impersonate')
  const input = await builder.inputOf(view, { identity: 'partner' })
  const exchange = input && (await send(view, input))
  if (exchange && isSuccess(exchange)) identities.impersonate(exchange.body)
}
