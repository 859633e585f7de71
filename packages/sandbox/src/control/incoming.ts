import type { Context } from '../context.ts'
import { findAccount } from '../ledger/accounts.ts'
import { type Posting, post } from '../ledger/post.ts'
import { formatCentavos } from '../money/centavos.ts'
import { OUTSIDE, PAYER_OUTSIDE } from '../seed/data.ts'
import { insertStatement, type Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'
import type { Credit } from '../transfers/credit.ts'
import { endToEndId } from '../transfers/end-to-end-id.ts'

/** A payment from another institution. */
interface Incoming extends Pick<Credit, 'id' | 'account_id' | 'tx_id' | 'dict_key' | 'qrcode_id'> {
  /** Centavos, above zero. */
  readonly amount: bigint
}

type Dependencies = Pick<Context, 'now' | 'random'>

/**
 * Credits an account from another institution, in the transaction of `queries`. Returns the credit,
 * whose event the caller emits.
 *
 * @param refuse called if all other institutions have too little money; it throws
 */
export async function receiveFromOutside(
  queries: Queries,
  dependencies: Dependencies,
  incoming: Incoming,
  refuse: () => never,
): Promise<Credit> {
  const { id, account_id, qrcode_id, amount, tx_id, dict_key } = incoming
  const at = dependencies.now()
  // The money comes from the one account that stands for all other institutions.
  const posting: Posting = {
    id,
    step: 'incoming',
    from: OUTSIDE,
    to: account_id,
    amount,
    at,
  }
  await post(queries, posting, refuse)

  const payer = await findAccount(queries, PAYER_OUTSIDE)
  if (!payer) throw new Error('the payer of other institutions does not exist')

  const end_to_end_id = endToEndId(dependencies.random, payer.ispb, at)
  const row = {
    id,
    account_id,
    qrcode_id,
    amount,
    end_to_end_id,
    payer_id: payer.id,
    paid_at: at,
  }
  await queries.run(...insertStatement('incoming', row))

  const payment = {
    amount: formatCentavos(amount),
    end_to_end_id,
    paid_at: timestamp(at),
    payer: { name: payer.name, tax_id: payer.tax_id },
  }
  return { id, account_id, payment, tx_id, dict_key, description: '', qrcode_id }
}
