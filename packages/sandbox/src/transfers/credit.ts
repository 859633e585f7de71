import { eventsByChange } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { emit } from '../deliveries/emit.ts'
import { partnerExpression } from '../ledger/accounts.ts'
import { parseCentavos } from '../money/centavos.ts'
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
  /** The QR code that was paid. Null if none was, and of a transfer that pays a static code. */
  readonly qrcode_id: string | null
}

/**
 * Emits the event of a credit, which is money that an account received, to the partner of the
 * account, in the transaction of `queries` that moves the money. An account without a partner here
 * has no event.
 */
export async function emitCredit(
  queries: Queries,
  context: Pick<Context, 'now' | 'random'>,
  { id, qrcode_id, ...credit }: Credit,
): Promise<void> {
  const { account_id, tx_id, payment } = credit
  const statement = bind(RECEIVER_OF_CREDIT, { account_id, tx_id, qrcode_id })
  const receiver = await queries.get<Receiver>(...statement)
  if (!receiver || receiver.partner_id === null) return

  const { partner_id } = receiver
  const data = { ...credit, qrcode: toPaidQrCode(receiver, payment) }
  await emit(queries, context, eventsByChange().credited, { partner_id, id, data })
}

interface Receiver {
  readonly partner_id: string | null
  readonly qrcode_id: string | null
  readonly kind: Schemas['PaidQrCode']['kind'] | null
  /** What the QR code was created with, as JSON. */
  readonly charge: string | null
}

/**
 * The partner of the account, with its charge that was paid, or with its static code of the tx_id,
 * which is unique for a partner. The tx_id alone says nothing of a charge: anybody can write a static
 * code with it.
 */
const RECEIVER_OF_CREDIT = `
  SELECT owned.partner_id, q.id AS qrcode_id, q.kind, q.charge
  FROM (SELECT a.id, ${partnerExpression('a.id')} AS partner_id FROM accounts a WHERE a.id = :account_id) owned
  LEFT JOIN qrcodes q
    ON q.partner_id = owned.partner_id AND q.tx_id = :tx_id AND q.account_id = owned.id
      AND (q.id = :qrcode_id OR q.kind = 'Static')`

/** The QR code that was paid. Null if this sandbox did not create it. */
function toPaidQrCode(
  { qrcode_id, kind, charge }: Receiver,
  payment: Schemas['Payment'],
): Schemas['PaidQrCode'] | null {
  if (qrcode_id === null || kind === null || charge === null) return null

  const isOtherCode = kind === 'Static' && !asksFor(charge, payment)
  return isOtherCode ? null : { id: qrcode_id, kind }
}

/**
 * Whether a static code asks for the amount that was paid, or lets the payer choose it by an amount
 * of zero. Somebody else wrote the code that was paid if it does not.
 */
function asksFor(charge: string, payment: Schemas['Payment']): boolean {
  const { amount }: { amount: string } = JSON.parse(charge)
  const asked = parseCentavos(amount)
  return asked === 0n || asked === parseCentavos(payment.amount)
}
