import { OPEN } from '../contract/words.ts'
import type { FoundCustomer } from '../send/customers.ts'
import type { Sender } from '../send/requests.ts'
import { impersonateCustomer, readTokenSender } from '../send/token-requests.ts'
import { createCodeOfPayer, newTaxId } from './payers.ts'
import type { PlanContext } from './plan.ts'
import { CODE_KINDS, type CodeKind } from './records.ts'
import { walkList } from './walk-list.ts'

/** So many other customers try to see and to end the codes of one customer. */
const MAX_OTHERS = 2

/**
 * Creates QR codes of each kind as a customer. Then other customers of the same partner list them, and try to cancel
 * them: the service must neither show nor find them. Does nothing on a live service, or if the partner has no other
 * customers.
 */
export async function tryCodesAsOtherCustomers(context: PlanContext): Promise<void> {
  const { codePayers, sideBySide } = context
  const owner = await codePayers.findDefaultPayer()
  // The tax ID of a customer is often its key.
  const dict_key = owner?.taxId
  if (!owner || dict_key === undefined) return

  const others = await signInOthers(context, owner)
  if (others.length === 0) return
  await sideBySide(CODE_KINDS, (kind) => tryCodeAsOthers(context, kind, { dict_key, others }))
}

/** Gets tokens of customers who certainly are other people than the owner, with accounts of their own. */
async function signInOthers(context: PlanContext, owner: FoundCustomer): Promise<Sender[]> {
  const { send, codePayers } = context
  const customers = await codePayers.listOtherCustomers()
  const others = customers.filter(
    ({ taxId, account }) => taxId !== owner.taxId && account !== owner.account,
  )

  const tokens: Sender[] = []
  for (const other of others.slice(0, MAX_OTHERS)) {
    const by = readTokenSender(await impersonateCustomer(other, send))
    if (by !== undefined) tokens.push(by)
  }
  return tokens
}

interface Attempt {
  /** The key of the customer that creates the code. */
  readonly dict_key: string
  /** The other customers. */
  readonly others: readonly Sender[]
}

/** Creates a code of one kind as the customer. The others list such codes, by each filter too, and cancel it. */
async function tryCodeAsOthers(
  context: PlanContext,
  kind: CodeKind,
  { dict_key, others }: Attempt,
): Promise<void> {
  const { send } = context
  const tax_id = newTaxId(context)
  const options = { fields: { dict_key }, by: 'customer' } as const
  const { id } = await createCodeOfPayer(context, kind, tax_id, options)
  // The service may refuse the creation, since the key may be that of nobody.
  if (id === undefined) return

  const queries = [{}, { tax_id }, { status: OPEN }]
  for (const by of others) {
    for (const query of queries) await walkList(context, kind.list, { by, query, maxPages: 3 })
    await send(kind.cancel, { path: { id }, by })
  }
  // Shows whether a refused cancellation has ended the code after all.
  await send(kind.list, { query: { tax_id }, by: 'customer' })
}
