import type { Context } from '../../engine/context.ts'
import { isSuccess } from '../../model/exchange.ts'

/** Impersonates a customer if the contract has an operation for it, to get a second kind of token. */
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
