import type { Context } from '../context.ts'
import { accountOf } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { formatCentavos, parseCentavos } from '../money/centavos.ts'
import { notFound, refuse } from '../problems.ts'
import { uuid } from '../random.ts'
import { WORLD } from '../seed/world.ts'

/**
 * Money that comes in from outside, to an account that is kept here.
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
    await post(queries, { id, step: 'incoming', from: WORLD, to, amount: centavos, at: now() })
    return accountOf(queries, to)
  })
  return { id, account_id: to, amount, balance: formatCentavos(account?.balance ?? 0n) }
}
