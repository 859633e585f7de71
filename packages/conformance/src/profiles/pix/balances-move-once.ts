import type { Context } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Balance, type Balances, balancesAtRest } from './balances.ts'
import { reaisOf } from './centavos.ts'
import { CHARGING, charge, transfer } from './payments.ts'

/** Centavos that are paid. */
const AMOUNT = 3n

/** A sandbox shows what its accounts hold; no operation of the contract does. */
export const balancesMoveOnce: Rule = {
  id: 'balances-move-once',
  phase: 'lists',
  cites: 'contract',
  requires: 'customer',
  needs: CHARGING,
  stateful: true,
  impact: 'critical',
  title:
    'A transfer takes its amount from the payer once and gives it to the receiver; one that is refused takes none.',
  advice: 'Write both sides of a transfer in one transaction, and roll it back where one of them is refused.',
  run: async (context) => {
    const made = await charge(context)
    const before = made && (await balancesAtRest(context))
    if (!made || !before) return
    const refused = await transfer(context, tooMuch(await lookedUp(context)), 'customer')
    const between = await balancesAtRest(context)
    if (!between || isSuccess(refused)) return context.inconclusive()
    const message = 'Expected a refused transfer to leave every balance, and one of them moved.'
    context.expect(refused, movesOf(before, between).length > 0 ? message : undefined, { about: 'refused' })
    const paid = await transfer(context, made.pay, 'customer')
    const after = isSuccess(paid) ? await balancesAtRest(context) : undefined
    if (!after) return context.inconclusive()
    isMoved(context, paid, movesOf(between, after))
    await tryOverdraft(context, after.get(nodeOf(nodeOf(paid.body).data).account_id))
  },
}

function isMoved(context: Context, paid: Exchange, moves: readonly Move[]): void {
  const payer = nodeOf(nodeOf(paid.body).data).account_id
  const taken = moves.find(({ id }) => id === payer)?.by ?? 0n
  const given = moves.filter(({ id }) => id !== payer).reduce((sum, { by }) => sum + by, 0n)
  const left =
    taken === -AMOUNT ? undefined : `Expected 0.03 to be taken from the payer, got ${reaisOf(-taken)}.`
  context.expect(paid, left, { about: 'payer' })
  const came = given === AMOUNT ? undefined : `Expected 0.03 to reach the receiver, got ${reaisOf(given)}.`
  context.expect(paid, came, { about: 'receiver' })
}

/** A centavo more than the payer holds, which nobody else moves meanwhile. */
async function tryOverdraft(context: Context, own: Balance | undefined): Promise<void> {
  const looked = own && (await lookedUp(context))
  if (!own || !looked) return context.inconclusive()
  const body = { ...looked, amount: reaisOf(own.balance + 1n) }
  const exchange = await transfer(context, { body }, 'customer')
  const message = 'Expected a centavo more than the account holds to be refused, and it was accepted.'
  expectRefusal(context, exchange, message, { about: 'overdraft', question: 'errors' })
}

interface Move {
  readonly id: unknown
  readonly by: bigint
}

/** The accounts whose balance moved, and by how much. */
function movesOf(before: Balances, after: Balances): Move[] {
  const moves = [...after].map(([id, { balance }]) => ({
    id,
    by: balance - (before.get(id)?.balance ?? balance),
  }))
  return moves.filter(({ by }) => by !== 0n)
}

async function lookedUp(context: Context): Promise<Readonly<Record<string, unknown>>> {
  const looked = await context.accepted('checkKey', { identity: 'customer' })
  const { initiation_id, dict_key } = nodeOf(looked?.body)
  return { type: 'dict', dict_key, initiation_id }
}

/** More than any account holds. */
function tooMuch(body: Readonly<Record<string, unknown>>) {
  return { body: { ...body, amount: '9999999999.99' } }
}
