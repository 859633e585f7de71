import { eventsByChange } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { emit } from '../deliveries/emit.ts'
import { partnerExpression } from '../ledger/accounts.ts'
import { bind, type Queries } from '../store/store.ts'

/** A credit of an account, by a transfer or by a payment from another institution. */
export interface Credit {
  /** Of its posting. */
  readonly id: string
  readonly account_id: string
  readonly payment: Schemas['Payment']
  /** Empty if there is none. So is the key. */
  readonly tx_id: string
  readonly dict_key: string
  readonly description: string
}

/**
 * Emits the event of a credit, which is money that an account received, to the partner of the
 * account, in the transaction of `queries` that moves the money. An account without a partner here
 * has no event.
 */
export async function emitCredit(
  queries: Queries,
  context: Pick<Context, 'now' | 'random'>,
  { id, ...credit }: Credit,
): Promise<void> {
  const { account_id, tx_id } = credit
  const receiver = await queries.get<Receiver>(...bind(RECEIVER_OF_CREDIT, { account_id, tx_id }))
  if (!receiver || receiver.partner_id === null) return

  const { partner_id } = receiver
  const data = { ...credit, qrcode: toPaidQrCode(receiver) }
  await emit(queries, context, eventsByChange().credited, { partner_id, id, data })
}

interface Receiver {
  readonly partner_id: string | null
  readonly qrcode_id: string | null
  readonly kind: Schemas['PaidQrCode']['kind'] | null
}

/** The partner of the account, with its QR code of the tx_id. A tx_id is unique for a partner. */
const RECEIVER_OF_CREDIT = `
  SELECT owned.partner_id, q.id AS qrcode_id, q.kind
  FROM (SELECT a.id, ${partnerExpression('a.id')} AS partner_id FROM accounts a WHERE a.id = :account_id) owned
  LEFT JOIN qrcodes q
    ON q.partner_id = owned.partner_id AND q.tx_id = :tx_id AND q.account_id = owned.id`

/** The QR code that was paid. Null if this sandbox did not create it. */
function toPaidQrCode({ qrcode_id, kind }: Receiver): Schemas['PaidQrCode'] | null {
  if (qrcode_id === null || kind === null) return null
  return { id: qrcode_id, kind }
}
