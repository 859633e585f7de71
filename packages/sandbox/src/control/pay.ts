import { amountsNow } from '../codes/payable.ts'
import type { Context } from '../context.ts'
import { accountOf } from '../ledger/accounts.ts'
import { type Posting, post } from '../ledger/post.ts'
import { formatCentavos, parseCentavos } from '../money/centavos.ts'
import { notFound, Refusal, refuse } from '../problems.ts'
import { CHARGE_COLUMNS, type ChargeRow, markPaid } from '../qrcodes/record.ts'
import { uuid } from '../random.ts'
import { OUTSIDE } from '../seed/data.ts'

/** Pays an open charge from outside, with the amount that is due now. */
export async function payFromOutside(context: Context, id: string) {
  const amount = await context.store.write(async (queries) => {
    const row = (await queries.get<LockedRow>(LOCK, [id])) ?? notFound()
    const due = amountDue(row, context.now())
    const posting: Posting = {
      id,
      step: 'incoming',
      from: OUTSIDE,
      to: row.account_id,
      amount: due,
      at: context.now(),
    }
    await post(queries, posting, () => {
      throw new Refusal('amount_not_allowed', { detail: TOO_MUCH })
    })
    await markPaid(queries, context, id)
    return due
  })
  context.poke()
  return { id, status: 'CONCLUIDA', amount: formatCentavos(amount) }
}

type LockedRow = Omit<ChargeRow, 'kind'> & { readonly kind: ChargeRow['kind'] | 'Static' }

/**
 * Changes nothing, but locks the row, so no transfer can claim the charge before the transaction
 * ends.
 */
const LOCK = `UPDATE qrcodes SET revision = revision WHERE id = ? RETURNING ${CHARGE_COLUMNS}`

/** The centavos of a charge that are due now. Refuses what cannot be paid from outside. */
function amountDue(row: LockedRow, now: number): bigint {
  const { kind } = row
  if (kind === 'Static') throw new Refusal('invalid_code', { detail: STATIC })

  const { final } = amountsNow({ ...row, kind }, now, 'outside')
  if (final === 0n) {
    throw new Refusal('amount_not_allowed', { detail: 'The amount of the charge is zero today.' })
  }
  return final
}

const TOO_MUCH = 'The charge is more than the account outside the sandbox has left.'
const STATIC = 'A static code has no charge; make a deposit to its account instead.'

/** Deposits money from outside into an account of this sandbox. */
export async function deposit(
  { store, now, random }: Pick<Context, 'store' | 'now' | 'random'>,
  to: string,
  amount: string,
) {
  const centavos = parseCentavos(amount)
  if (centavos === 0n) refuse('amount_not_allowed', '/amount', '"amount" must be more than 0.')

  const id = uuid(random)
  const account = await store.write(async (queries) => {
    const receiver = await accountOf(queries, to)
    if (receiver?.standing !== 'own') notFound()

    const posting: Posting = {
      id,
      step: 'incoming',
      from: OUTSIDE,
      to,
      amount: centavos,
      at: now(),
    }
    await post(queries, posting, () => refuse('amount_not_allowed', '/amount', TOO_MUCH_TO_DEPOSIT))
    return accountOf(queries, to)
  })
  return { id, account_id: to, amount, balance: formatCentavos(account?.balance ?? 0n) }
}

const TOO_MUCH_TO_DEPOSIT =
  '"amount" must be no more than the account outside the sandbox has left.'
