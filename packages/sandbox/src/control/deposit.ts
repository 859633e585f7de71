import type { Context } from '../context.ts'
import { accountOf } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { formatCentavos, parseCentavos } from '../money/centavos.ts'
import { notFound, refuse } from '../problems.ts'
import { uuid } from '../random.ts'
import { OUTSIDE } from '../seed/data.ts'

/**
 * Deposits money from outside into an account of this sandbox.
 *
 * @throws {Refusal} `not_found`, `amount_not_allowed`
 */
export async function deposit(
  { store, now, random }: Pick<Context, 'store' | 'now' | 'random'>,
  to: string,
  amount: string,
) {
  const centavos = parseCentavos(amount)
  if (centavos === 0n) refuse('amount_not_allowed', '/amount', '"amount" must be more than 0.')
  const id = uuid(random)
  const account = await store.write(async (queries) => {
    if ((await accountOf(queries, to))?.standing !== 'own') notFound()
    const posting = { id, step: 'incoming', from: OUTSIDE, to, amount: centavos, at: now() } as const
    await post(queries, posting, () => refuse('amount_not_allowed', '/amount', TOO_MUCH))
    return accountOf(queries, to)
  })
  return { id, account_id: to, amount, balance: formatCentavos(account?.balance ?? 0n) }
}

const TOO_MUCH = '"amount" must be no more than the account outside the sandbox has left.'
